#include "ingest/lz4_frame_decoder.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <lz4frame.h>

#include "unit/ingest/codec_checks.h"

namespace stagegate {
namespace {

std::string frame(std::string_view plain, const LZ4F_preferences_t& preferences) {
  std::string stored(LZ4F_compressFrameBound(plain.size(), &preferences), '\0');
  stored.resize(LZ4F_compressFrame(stored.data(), stored.size(), plain.data(), plain.size(), &preferences));
  return stored;
}

// With all that is optional: checksums and the size.
std::string frame(std::string_view plain) {
  LZ4F_preferences_t preferences = LZ4F_INIT_PREFERENCES;
  preferences.frameInfo = {
      LZ4F_max64KB, LZ4F_blockLinked, LZ4F_contentChecksumEnabled, LZ4F_frame, plain.size(), 0, LZ4F_blockChecksumEnabled};
  return frame(plain, preferences);
}

const std::string kSkippable("\x53\x2A\x4D\x18\x03\0\0\0abc", 11);

TEST(Lz4FrameDecoder, ReadsWhatTheCommandWroteForEveryStep) {
  expect_plain(make_lz4_frame_decoder, codec_fixture("two.lz4"), sample_lines(200));
}

TEST(Lz4FrameDecoder, ReadsFrameAfterFrame) {
  const auto text = sample_lines(3000);
  expect_plain(make_lz4_frame_decoder, frame(text) + frame("") + frame(noise(500)) + frame("x"), text + noise(500) + "x");
  expect_plain(make_lz4_frame_decoder, frame(""), "");
}

TEST(Lz4FrameDecoder, CutAtAnyByteGivesWhatCameBeforeAndSaysSo) {
  const auto text = sample_lines(50);
  const std::vector<std::string> frames{frame(text.substr(0, 600)), frame(text.substr(600))};
  expect_cuts_are_told(make_lz4_frame_decoder, joined(frames), text, borders(frames));
  const auto decoded = decode(make_lz4_frame_decoder, frames[0] + frames[1].substr(0, frames[1].size() - 1));
  EXPECT_EQ(decoded.damage, "its last lz4 frame is cut off");
}

TEST(Lz4FrameDecoder, WhatFollowsAndIsNoFrameIsDamage) {
  const auto decoded = decode(make_lz4_frame_decoder, frame("one") + "and then something else");
  EXPECT_EQ(decoded.plain, "one");
  EXPECT_EQ(decoded.damage, "its lz4 data is damaged (ERROR_frameType_unknown)");
}

TEST(Lz4FrameDecoder, SkipsSkippableFrames) {
  expect_plain(make_lz4_frame_decoder, kSkippable + frame("one") + kSkippable + kSkippable + frame("two") + kSkippable, "onetwo");
}

TEST(Lz4FrameDecoder, GivesTheBlocksBeforeADamagedOne) {
  const auto text = sample_lines(5000);
  auto stored = frame(text);
  stored[stored.size() - 100] ^= 1;  // in the last block
  for (const std::size_t buffer_bytes : {100U, 1U << 20U}) {
    const auto decoded = decode(make_lz4_frame_decoder, stored, std::string::npos, buffer_bytes);
    EXPECT_TRUE(decoded.plain == text.substr(0, text.size() / 65536 * 65536));
    EXPECT_EQ(decoded.damage, "its lz4 data is damaged (ERROR_blockChecksum_invalid)");
  }
}

// As the lz4 command writes it: a checksum of the content and none of the blocks.
std::string frame_with_content_checksum(std::string_view plain) {
  LZ4F_preferences_t preferences = LZ4F_INIT_PREFERENCES;
  preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  return frame(plain, preferences);
}

TEST(Lz4FrameDecoder, ChecksTheContentOfEachFrame) {
  const auto text = sample_lines(2000);
  const auto good = frame_with_content_checksum(text);
  expect_plain(make_lz4_frame_decoder, good + frame_with_content_checksum("") + kSkippable + frame(text) + good, text + text + text);
  for (std::size_t from_end = 1; from_end <= 4; ++from_end) {
    auto bad = good;
    bad[bad.size() - from_end] ^= 1;
    for (const std::size_t buffer_bytes : {1U, 100U, 1U << 20U}) {
      const auto decoded = decode(make_lz4_frame_decoder, good + bad, std::string::npos, buffer_bytes);
      EXPECT_EQ(decoded.damage, "its lz4 data is damaged (ERROR_contentChecksum_invalid)") << from_end;
      EXPECT_TRUE(decoded.plain == text + text) << "its blocks can be unpacked: what they hold is given";
    }
  }
}

// A literal that is another one unpacks, and only the checksum tells.
TEST(Lz4FrameDecoder, ChangedContentIsTold) {
  for (const bool has_block_checksums : {false, true}) {
    LZ4F_preferences_t preferences = LZ4F_INIT_PREFERENCES;
    preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
    preferences.frameInfo.blockChecksumFlag = has_block_checksums ? LZ4F_blockChecksumEnabled : LZ4F_noBlockChecksum;
    auto stored = frame("abcdefghijklmnop", preferences);
    const auto place = stored.find("abc");
    ASSERT_NE(place, std::string::npos);
    stored[place] = 'x';
    EXPECT_NE(decode(make_lz4_frame_decoder, stored).damage, "") << has_block_checksums;
  }
}

TEST(Lz4FrameDecoder, AFrameWithoutChecksumsIsRead) {
  const auto text = sample_lines(2000);
  expect_plain(make_lz4_frame_decoder, frame(text, LZ4F_INIT_PREFERENCES) + frame_with_content_checksum(text), text + text);
}

TEST(Lz4FrameDecoder, NoChangedByteCrashesIt) {
  expect_changed_bytes_are_survived(make_lz4_frame_decoder, frame(sample_lines(20)) + frame("x"));
}

}  // namespace
}  // namespace stagegate
