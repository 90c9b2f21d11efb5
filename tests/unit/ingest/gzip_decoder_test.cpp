#include "ingest/gzip_decoder.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#define ZLIB_CONST
#include <zlib.h>

#include "unit/ingest/codec_checks.h"

namespace stagegate {
namespace {

std::string frame(std::string_view plain) {
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string stored(deflateBound(&stream, plain.size()), '\0');
  stream.next_in = reinterpret_cast<const Bytef*>(plain.data());
  stream.avail_in = static_cast<unsigned>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(stored.data());
  stream.avail_out = static_cast<unsigned>(stored.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  stored.resize(stream.total_out);
  deflateEnd(&stream);
  return stored;
}

TEST(GzipDecoder, ReadsWhatTheCommandWroteForEveryStep) {
  expect_plain(make_gzip_decoder, codec_fixture("two.gzip"), sample_lines(200));
}

TEST(GzipDecoder, ReadsFrameAfterFrame) {
  const auto text = sample_lines(3000);
  expect_plain(make_gzip_decoder, frame(text) + frame("") + frame(noise(500)) + frame("x"), text + noise(500) + "x");
  expect_plain(make_gzip_decoder, frame(""), "");
}

TEST(GzipDecoder, CutAtAnyByteGivesWhatCameBeforeAndSaysSo) {
  const auto text = sample_lines(50);
  const std::vector<std::string> frames{frame(text.substr(0, 600)), frame(text.substr(600))};
  expect_cuts_are_told(make_gzip_decoder, joined(frames), text, borders(frames));
  const auto decoded = decode(make_gzip_decoder, frames[0] + frames[1].substr(0, frames[1].size() - 1));
  EXPECT_EQ(decoded.damage, "its gzip data is cut off");
}

TEST(GzipDecoder, WhatFollowsAndIsNoFrameIsDamage) {
  const auto decoded = decode(make_gzip_decoder, frame("one") + "and then something else");
  EXPECT_EQ(decoded.plain, "one");
  EXPECT_EQ(decoded.damage, "its gzip data is damaged (incorrect header check)");
}

TEST(GzipDecoder, ZeroBytesBehindAFrameArePadding) {
  expect_plain(make_gzip_decoder, frame("one") + std::string(8, '\0') + frame("two") + std::string(512, '\0'), "onetwo");
}

TEST(GzipDecoder, GivesWhatStandsBeforeADamagedPlace) {
  const auto text = sample_lines(5000);
  auto stored = frame(text);
  stored[stored.size() - 8] ^= 1;  // the checksum
  EXPECT_TRUE(decode(make_gzip_decoder, stored, std::string::npos, 100).plain == text);
  const auto decoded = decode(make_gzip_decoder, stored, std::string::npos, 1U << 20U);
  EXPECT_TRUE(decoded.plain == text);
  EXPECT_EQ(decoded.damage, "its gzip data is damaged (incorrect data check)");
}

TEST(GzipDecoder, NoChangedByteCrashesIt) {
  expect_changed_bytes_are_survived(make_gzip_decoder, frame(sample_lines(20)) + frame("x"));
}

}  // namespace
}  // namespace stagegate
