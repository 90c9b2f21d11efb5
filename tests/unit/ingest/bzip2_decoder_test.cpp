#include "ingest/bzip2_decoder.h"

#include <string>
#include <string_view>
#include <vector>

#include <bzlib.h>
#include <gtest/gtest.h>

#include "unit/ingest/codec_checks.h"

namespace stagegate {
namespace {

std::string frame(std::string_view plain, int blocks_of_100k = 1) {
  std::string stored(plain.size() + plain.size() / 50 + 700, '\0');
  auto size = static_cast<unsigned>(stored.size());
  std::string copy(plain);
  EXPECT_EQ(BZ2_bzBuffToBuffCompress(stored.data(), &size, copy.data(), static_cast<unsigned>(copy.size()), blocks_of_100k, 0, 0), BZ_OK);
  stored.resize(size);
  return stored;
}

TEST(Bzip2Decoder, ReadsWhatTheCommandWroteForEveryStep) {
  expect_plain(make_bzip2_decoder, codec_fixture("two.bzip2"), sample_lines(200));
}

TEST(Bzip2Decoder, ReadsFrameAfterFrame) {
  const auto text = sample_lines(3000);
  expect_plain(make_bzip2_decoder, frame(text) + frame("") + frame(noise(500)) + frame("x"), text + noise(500) + "x");
  expect_plain(make_bzip2_decoder, frame(""), "");
}

TEST(Bzip2Decoder, CutAtAnyByteGivesWhatCameBeforeAndSaysSo) {
  const auto text = sample_lines(50);
  const std::vector<std::string> frames{frame(text.substr(0, 600)), frame(text.substr(600))};
  expect_cuts_are_told(make_bzip2_decoder, joined(frames), text, borders(frames));
  const auto decoded = decode(make_bzip2_decoder, frames[0] + frames[1].substr(0, frames[1].size() - 1));
  EXPECT_EQ(decoded.damage, "its bzip2 data is cut off");
}

TEST(Bzip2Decoder, WhatFollowsAndIsNoFrameIsDamage) {
  const auto decoded = decode(make_bzip2_decoder, frame("one") + "and then something else");
  EXPECT_EQ(decoded.plain, "one");
  EXPECT_EQ(decoded.damage, "its bzip2 data is damaged (no stream begins where one should)");
}

TEST(Bzip2Decoder, ZeroBytesBehindAFrameArePadding) {
  expect_plain(make_bzip2_decoder, frame("one") + std::string(8, '\0') + frame("two") + std::string(512, '\0'), "onetwo");
}

TEST(Bzip2Decoder, GivesTheBlocksBeforeACut) {
  const auto text = sample_lines(8000);  // four blocks of 100 kB
  const auto stored = frame(text);
  const auto decoded = decode(make_bzip2_decoder, stored.substr(0, stored.size() - 1000), std::string::npos, 1U << 20U);
  EXPECT_TRUE(text.starts_with(decoded.plain));
  EXPECT_GT(decoded.plain.size(), 290'000U);
}

TEST(Bzip2Decoder, NoChangedByteCrashesIt) {
  expect_changed_bytes_are_survived(make_bzip2_decoder, frame(sample_lines(20)) + frame("x"));
}

}  // namespace
}  // namespace stagegate
