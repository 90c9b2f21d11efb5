#include "ingest/snappy_decoder.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <snappy.h>

#include "unit/ingest/codec_checks.h"

namespace stagegate {
namespace {

using namespace std::literals;

const std::string kHeader("\x82SNAPPY\0\0\0\0\1\0\0\0\1"sv);

std::string big_endian(std::size_t number) {
  std::string bytes;
  for (unsigned shift = 32; shift > 0; shift -= 8) {
    bytes += static_cast<char>((number >> (shift - 8)) & 0xFFU);
  }
  return bytes;
}

std::string block_of(std::string_view stored) {
  return big_endian(stored.size()) + std::string(stored);
}

std::string block(std::string_view plain) {
  std::string stored;
  snappy::Compress(plain.data(), plain.size(), &stored);
  return block_of(stored);
}

Decoded decode_behind_a_block(const std::string& stored) {
  return decode(make_snappy_decoder, kHeader + block("before") + stored);
}

TEST(SnappyDecoder, ReadsWhatSparksLibraryWroteForEveryStep) {
  expect_plain(make_snappy_decoder, codec_fixture("spark.snappy"), sample_lines(1200));
  expect_plain(make_snappy_decoder, codec_fixture("raw.snappy"), codec_fixture("raw.bytes"));
}

TEST(SnappyDecoder, ReadsStreamAfterStream) {
  expect_plain(make_snappy_decoder, kHeader + block("one") + block("") + kHeader + kHeader + block("two"), "onetwo");
  expect_plain(make_snappy_decoder, kHeader, "");
}

TEST(SnappyDecoder, CutAtAnyByteGivesTheBlocksBeforeAndSaysSoWhereItCanBeTold) {
  const auto text = sample_lines(50);
  const std::vector<std::string> pieces{kHeader, block(text.substr(0, 600)), block(text.substr(600, 300)), kHeader,
                                        block(text.substr(900))};
  expect_cuts_are_told(make_snappy_decoder, joined(pieces), text, borders(pieces));
  EXPECT_EQ(decode_behind_a_block(block("after").substr(0, 6)).damage, "its last snappy block is cut off");
}

TEST(SnappyDecoder, WhatIsNoBlockIsDamage) {
  const auto says = [](std::string_view what) { return "its snappy data is damaged (" + std::string(what) + ")"; };
  EXPECT_EQ(decode_behind_a_block("something else").damage, says("a block has an impossible length"));
  EXPECT_EQ(decode_behind_a_block(big_endian(0)).damage, says("a block has an impossible length"));
  EXPECT_EQ(decode_behind_a_block("\x82SNAPPX\0\0\0\0\1\0\0\0\1"s).damage, says("a block has an impossible length"));
  EXPECT_EQ(decode_behind_a_block("\x82SNAPPY\0\0\0\0\0\0\0\0\1"s).damage, says("its version is unknown"));
  EXPECT_EQ(decode_behind_a_block(block_of("\x05\x10"sv)).damage, says("a block cannot be unpacked"));
  EXPECT_EQ(decode_behind_a_block(block_of("\x05\x10"sv)).plain, "before");
}

TEST(SnappyDecoder, ImpossibleLengthsAreDamageBeforeAnyRoomIsMade) {
  const auto says = "its snappy data is damaged (a block has an impossible length)";
  EXPECT_EQ(decode_behind_a_block(big_endian((64U << 20U) + 1)).damage, says);
  EXPECT_EQ(decode_behind_a_block(block_of("\xFF\xFF\xFF\xFF\x0F\x10"sv)).damage, says);  // would be 4 GiB of plain bytes
  EXPECT_EQ(decode_behind_a_block(block_of("\xFF\xFF\xFF\xFF\xFF\xFF"sv)).damage, says);  // no number at all
  EXPECT_EQ(decode_behind_a_block(big_endian(64U << 20U)).damage, "its last snappy block is cut off");
}

TEST(SnappyDecoder, NoChangedByteCrashesIt) {
  const auto text = sample_lines(20);
  expect_changed_bytes_are_survived(make_snappy_decoder, kHeader + block(text.substr(0, 600)) + block(text.substr(600)));
}

}  // namespace
}  // namespace stagegate
