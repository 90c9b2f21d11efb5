#include "ingest/lz4_decoder.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <lz4.h>
#include <xxhash.h>

#include "unit/ingest/codec_checks.h"

namespace stagegate {
namespace {

using namespace std::string_view_literals;

constexpr char kRaw = 0x10;
constexpr char kLz4 = 0x20;
constexpr char kLevelOf32KiB = 5;

std::string little_endian(std::uint32_t number) {
  std::string bytes;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes += static_cast<char>((number >> shift) & 0xFFU);
  }
  return bytes;
}

std::uint32_t checksum_of(std::string_view plain) {
  return XXH32(plain.data(), plain.size(), 0x9747B28C) & 0x0FFFFFFFU;
}

std::string header(char method, std::size_t stored_bytes, std::size_t plain_bytes, std::uint32_t checksum, char level = kLevelOf32KiB) {
  return "LZ4Block" + std::string(1, static_cast<char>(method | level)) + little_endian(static_cast<std::uint32_t>(stored_bytes)) +
         little_endian(static_cast<std::uint32_t>(plain_bytes)) + little_endian(checksum);
}

std::string compressed(std::string_view plain) {
  std::string stored(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(plain.size()))), '\0');
  stored.resize(static_cast<std::size_t>(
      LZ4_compress_default(plain.data(), stored.data(), static_cast<int>(plain.size()), static_cast<int>(stored.size()))));
  return stored;
}

std::string block(std::string_view plain) {
  const auto stored = compressed(plain);
  return header(kLz4, stored.size(), plain.size(), checksum_of(plain)) + stored;
}

std::string raw_block(std::string_view plain) {
  return header(kRaw, plain.size(), plain.size(), checksum_of(plain)) + std::string(plain);
}

const std::string& end_mark() {
  static const auto mark = header(kRaw, 0, 0, 0);
  return mark;
}

std::string damage_of(const std::string& stored) {
  return decode(make_lz4_decoder, block("before") + stored).damage;
}

TEST(Lz4Decoder, ReadsWhatSparksLibraryWroteForEveryStep) {
  expect_plain(make_lz4_decoder, codec_fixture("spark.lz4"), sample_lines(1200));
  expect_plain(make_lz4_decoder, codec_fixture("raw.lz4"), codec_fixture("raw.bytes"));
}

TEST(Lz4Decoder, ReadsBlocksOfBothKindsAndStreamAfterStream) {
  const auto bytes = noise(500);
  expect_plain(make_lz4_decoder, block("one") + raw_block(bytes) + end_mark() + end_mark() + block("two") + end_mark(),
               "one" + bytes + "two");
  expect_plain(make_lz4_decoder, end_mark(), "");
}

TEST(Lz4Decoder, CutAtAnyByteGivesTheBlocksBeforeAndSaysSo) {
  const auto text = sample_lines(50);
  const std::vector<std::string> pieces{block(text.substr(0, 600)), raw_block(text.substr(600, 300)), end_mark(), block(text.substr(900))};
  // Whole is what ends in an end mark: nothing, or the first stream.
  const auto first_stream = pieces[0].size() + pieces[1].size() + pieces[2].size();
  expect_cuts_are_told(make_lz4_decoder, joined(pieces), text, {0, first_stream});
}

TEST(Lz4Decoder, ABlockThatIsCutIsToldFromAnEndMarkThatIsMissing) {
  EXPECT_EQ(damage_of(block("after").substr(0, 20)), "its last lz4 block is cut off");
  EXPECT_EQ(damage_of(block("after").substr(0, 23)), "its last lz4 block is cut off");
  EXPECT_EQ(damage_of(""), "its lz4 end mark is missing");
}

TEST(Lz4Decoder, WhatIsNoBlockIsDamage) {
  const auto says = [](std::string_view what) { return "its lz4 data is damaged (" + std::string(what) + ")"; };
  const auto stored = compressed("after");
  EXPECT_EQ(damage_of("something else"), says("no block begins where one should"));
  EXPECT_EQ(damage_of(end_mark() + "x"), says("no block begins where one should"));
  EXPECT_EQ(damage_of(header(0x30, 5, 5, 0) + "after"), says("a block is stored in an unknown way"));
  EXPECT_EQ(damage_of(header(kLz4, stored.size(), 5, 1) + stored), says("a block does not match its checksum"));
  EXPECT_EQ(damage_of(header(kRaw, 5, 5, 1) + "after"), says("a block does not match its checksum"));
  EXPECT_EQ(damage_of(header(kLz4, stored.size(), 6, checksum_of("after")) + stored), says("a block cannot be unpacked"));
  EXPECT_EQ(damage_of(header(kRaw, 0, 0, 7)), says("an end mark has a checksum"));
}

TEST(Lz4Decoder, ImpossibleLengthsAreDamageBeforeAnyRoomIsMade) {
  const auto says = "its lz4 data is damaged (a block has an impossible length)";
  EXPECT_EQ(damage_of(header(kRaw, 5, 6, 0)), says);
  EXPECT_EQ(damage_of(header(kLz4, 0, 5, 0)), says);
  EXPECT_EQ(damage_of(header(kLz4, 5, 0, 0)), says);
  EXPECT_EQ(damage_of(header(kLz4, 100, 32 * 1024 + 1, 0)), says);   // the level allows 32 KiB
  EXPECT_EQ(damage_of(header(kLz4, 100, 0xFFFFFFFF, 0, 15)), says);  // a negative length
  EXPECT_EQ(damage_of(header(kLz4, 0xFFFFFFFF, 32 * 1024, 0)), says);
  EXPECT_EQ(damage_of(header(kLz4, 1U << 25U, 1U << 25U, 0, 15)), "its last lz4 block is cut off");  // the largest there may be
}

TEST(Lz4Decoder, NoChangedByteCrashesIt) {
  const auto text = sample_lines(20);
  expect_changed_bytes_are_survived(make_lz4_decoder, block(text.substr(0, 600)) + raw_block(text.substr(600)) + end_mark(), text.size());
}

}  // namespace
}  // namespace stagegate
