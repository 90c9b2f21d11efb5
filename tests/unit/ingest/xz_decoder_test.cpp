#include "ingest/xz_decoder.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <lzma.h>

#include "unit/ingest/codec_checks.h"

namespace stagegate {
namespace {

std::string frame(std::string_view plain) {
  std::string stored(lzma_stream_buffer_bound(plain.size()), '\0');
  std::size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(plain.data()), plain.size(),
                                    reinterpret_cast<std::uint8_t*>(stored.data()), &size, stored.size()),
            LZMA_OK);
  stored.resize(size);
  return stored;
}

std::string frame_with_dictionary(std::string_view plain, std::uint32_t bytes) {
  lzma_options_lzma options;
  lzma_lzma_preset(&options, 0);
  options.dict_size = bytes;
  lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  std::string stored(lzma_stream_buffer_bound(plain.size()), '\0');
  std::size_t size = 0;
  EXPECT_EQ(lzma_stream_buffer_encode(filters, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const std::uint8_t*>(plain.data()), plain.size(),
                                      reinterpret_cast<std::uint8_t*>(stored.data()), &size, stored.size()),
            LZMA_OK);
  stored.resize(size);
  return stored;
}

TEST(XzDecoder, ReadsWhatTheCommandWroteForEveryStep) {
  expect_plain(make_xz_decoder, codec_fixture("two.xz"), sample_lines(200));
}

TEST(XzDecoder, ReadsFrameAfterFrame) {
  const auto text = sample_lines(3000);
  expect_plain(make_xz_decoder, frame(text) + frame("") + frame(noise(500)) + frame("x"), text + noise(500) + "x");
  expect_plain(make_xz_decoder, frame(""), "");
}

TEST(XzDecoder, CutAtAnyByteGivesWhatCameBeforeAndSaysSo) {
  const auto text = sample_lines(50);
  const std::vector<std::string> frames{frame(text.substr(0, 600)), frame(text.substr(600))};
  expect_cuts_are_told(make_xz_decoder, joined(frames), text, borders(frames));
  const auto decoded = decode(make_xz_decoder, frames[0] + frames[1].substr(0, frames[1].size() - 1));
  EXPECT_EQ(decoded.damage, "its xz data is cut off");
}

TEST(XzDecoder, WhatFollowsAndIsNoFrameIsDamage) {
  const auto decoded = decode(make_xz_decoder, frame("one") + "and then something else");
  EXPECT_EQ(decoded.plain, "one");
  EXPECT_EQ(decoded.damage, "its xz data is damaged (no stream begins where one should)");
}

TEST(XzDecoder, ZeroBytesBehindAFrameArePadding) {
  expect_plain(make_xz_decoder, frame("one") + std::string(8, '\0') + frame("two") + std::string(512, '\0'), "onetwo");
}

TEST(XzDecoder, AsksForNoMoreMemoryThanIsReasonable) {
  EXPECT_EQ(decode(make_xz_decoder, frame_with_dictionary("one", 64U << 20U)).plain, "one");  // xz -9
  EXPECT_EQ(decode(make_xz_decoder, frame_with_dictionary("one", 1536U << 20U)).damage,
            "its xz data is damaged (it needs more than 256 MiB of memory to be unpacked)");
}

TEST(XzDecoder, NoChangedByteCrashesIt) {
  expect_changed_bytes_are_survived(make_xz_decoder, frame(sample_lines(20)) + frame("x"));
}

}  // namespace
}  // namespace stagegate
