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

// Where the first block begins in its sorted text: 24 bits behind the stream's header, the block's mark and checksum, and one bit.
std::string with_begin_of_block(std::string stored, unsigned begin) {
  constexpr std::size_t kFirstBit = (4 + 6 + 4) * 8 + 1;
  for (std::size_t i = 0; i < 24; ++i) {
    const auto bit = kFirstBit + i;
    auto& byte = stored[bit / 8];
    const auto mask = static_cast<unsigned char>(0x80U >> (bit % 8));
    const bool is_set = (begin >> (23 - i) & 1U) != 0;
    byte = static_cast<char>(is_set ? static_cast<unsigned char>(byte) | mask : static_cast<unsigned char>(byte) & ~mask);
  }
  return stored;
}

// A block that ends inside a run of equal bytes: there the library forgets what it gave in the same call.
TEST(Bzip2Decoder, GivesTheSameOfADamagedBlockForEveryBuffer) {
  std::string text;
  for (int i = 0; i < 1200; ++i) {
    text += std::to_string(i * 7919 % 10'007) + "xxxxxx";
  }
  const auto stored = frame(text);
  std::size_t in_the_middle = 0;
  for (unsigned begin = 0; begin < 300; ++begin) {
    const auto damaged = with_begin_of_block(stored, begin);
    const auto expected = decode(make_bzip2_decoder, damaged, std::string::npos, 1U << 20U);
    in_the_middle += expected.plain.empty() || expected.plain.size() == text.size() ? 0U : 1U;
    for (const std::size_t buffer_bytes : {61U, 4096U, 5000U}) {
      const auto decoded = decode(make_bzip2_decoder, damaged, 61, buffer_bytes);
      EXPECT_TRUE(decoded.plain == expected.plain) << "begun at " << begin << ", " << buffer_bytes << " bytes at a time";
      EXPECT_EQ(decoded.damage, expected.damage);
    }
  }
  EXPECT_GT(in_the_middle, 0U);
}

TEST(Bzip2Decoder, NoChangedByteCrashesIt) {
  expect_changed_bytes_are_survived(make_bzip2_decoder, frame(sample_lines(20)) + frame("x"));
}

}  // namespace
}  // namespace stagegate
