#include "ingest/lzf_decoder.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <lzf.h>

#include "unit/ingest/codec_checks.h"

namespace stagegate {
namespace {

using namespace std::literals;

std::string big_endian(std::size_t number) {
  return {static_cast<char>((number >> 8U) & 0xFFU), static_cast<char>(number & 0xFFU)};
}

std::string stored_chunk(std::string_view plain) {
  return "ZV\0"s + big_endian(plain.size()) + std::string(plain);
}

std::string chunk_of(std::string_view stored, std::size_t plain_bytes) {
  return "ZV\1" + big_endian(stored.size()) + big_endian(plain_bytes) + std::string(stored);
}

std::string chunk(std::string_view plain) {
  std::string stored(plain.size(), '\0');
  stored.resize(lzf_compress(plain.data(), static_cast<unsigned>(plain.size()), stored.data(), static_cast<unsigned>(stored.size())));
  EXPECT_FALSE(stored.empty()) << "cannot be compressed";
  return chunk_of(stored, plain.size());
}

Decoded decode_behind_a_chunk(const std::string& stored) {
  return decode(make_lzf_decoder, stored_chunk("before") + stored);
}

TEST(LzfDecoder, ReadsWhatSparksLibraryWroteForEveryStep) {
  expect_plain(make_lzf_decoder, codec_fixture("spark.lzf"), sample_lines(1200));
  expect_plain(make_lzf_decoder, codec_fixture("raw.lzf"), codec_fixture("raw.bytes"));
}

TEST(LzfDecoder, ReadsChunksOfBothKindsAndOfEverySize) {
  const auto text = sample_lines(1500);
  const auto bytes = noise(65535);
  expect_plain(make_lzf_decoder, stored_chunk("") + chunk(text.substr(0, 65535)) + stored_chunk(bytes) + stored_chunk("x"),
               text.substr(0, 65535) + bytes + "x");
}

TEST(LzfDecoder, CutAtAnyByteGivesTheChunksBeforeAndSaysSoWhereItCanBeTold) {
  const auto text = sample_lines(50);
  const std::vector<std::string> pieces{chunk(text.substr(0, 600)), stored_chunk(text.substr(600, 300)), chunk(text.substr(900))};
  expect_cuts_are_told(make_lzf_decoder, joined(pieces), text, borders(pieces));
  EXPECT_EQ(decode_behind_a_chunk(stored_chunk("after").substr(0, 7)).damage, "its last lzf block is cut off");
}

TEST(LzfDecoder, WhatIsNoChunkIsDamage) {
  const auto says = [](std::string_view what) { return "its lzf data is damaged (" + std::string(what) + ")"; };
  EXPECT_EQ(decode_behind_a_chunk("something else").damage, says("no chunk begins where one should"));
  EXPECT_EQ(decode_behind_a_chunk("ZV\2?????").damage, says("a chunk is stored in an unknown way"));
  EXPECT_EQ(decode_behind_a_chunk(chunk_of("", 5)).damage, says("a chunk has an impossible length"));
  EXPECT_EQ(decode_behind_a_chunk(chunk_of("\x04", 0)).damage, says("a chunk has an impossible length"));
  // Five literals, said to be four or six; four, said to be five; a copy from before the begin; a copy without its distance.
  EXPECT_EQ(decode_behind_a_chunk(chunk_of("\x04"
                                           "after",
                                           5))
                .plain,
            "beforeafter");
  for (const auto& broken : {chunk_of("\x04"
                                      "after",
                                      4),
                             chunk_of("\x04"
                                      "after",
                                      6),
                             chunk_of("\x04"
                                      "afte",
                                      5),
                             chunk_of("\x00"
                                      "a"
                                      "\x20\x05"sv,
                                      4),
                             chunk_of("\x00"
                                      "a"
                                      "\x20"sv,
                                      4)}) {
    const auto decoded = decode_behind_a_chunk(broken);
    EXPECT_EQ(decoded.plain, "before");
    EXPECT_EQ(decoded.damage, says("a chunk cannot be unpacked"));
  }
}

TEST(LzfDecoder, NoChangedByteCrashesIt) {
  const auto text = sample_lines(20);
  expect_changed_bytes_are_survived(make_lzf_decoder, chunk(text.substr(0, 600)) + stored_chunk(text.substr(600)));
}

}  // namespace
}  // namespace stagegate
