#include "ingest/snappy_frame_decoder.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unit/ingest/codec_checks.h"

namespace stagegate {
namespace {

using namespace std::literals;

const std::string kIdentifier("\xFF\x06\0\0sNaPpY"sv);

std::string chunk(unsigned char type, std::string_view content) {
  return {static_cast<char>(type) +
          std::string{static_cast<char>(content.size() & 0xFFU), static_cast<char>((content.size() >> 8U) & 0xFFU),
                      static_cast<char>((content.size() >> 16U) & 0xFFU)} +
          std::string(content)};
}

// The check value of CRC-32C is 0xE3069283 for "123456789"; masked as framing_format.txt says: rotated right by 15 bits, plus 0xA282EAD8.
const std::string kDigits = chunk(0x01,
                                  "\xE5\xB0\x8A\xC7"
                                  "123456789"sv);

std::string damage_of(const std::string& stored) {
  return decode(make_snappy_frame_decoder, kIdentifier + stored).damage;
}

TEST(SnappyFrameDecoder, ReadsWhatAnotherImplementationWroteForEveryStep) {
  expect_plain(make_snappy_frame_decoder, codec_fixture("framed.snappy"), sample_lines(200));
}

TEST(SnappyFrameDecoder, SkipsWhatMayBeSkipped) {
  expect_plain(make_snappy_frame_decoder, kIdentifier + chunk(0xFE, "\0\0\0"sv) + kDigits + chunk(0x80, "?") + kIdentifier + kDigits,
               "123456789123456789");
}

TEST(SnappyFrameDecoder, CutAtAnyByteGivesTheChunksBeforeAndSaysSoWhereItCanBeTold) {
  const std::vector<std::string> pieces{kIdentifier, kDigits, chunk(0xFE, "padding"), kDigits};
  expect_cuts_are_told(make_snappy_frame_decoder, joined(pieces), "123456789123456789", borders(pieces));
}

TEST(SnappyFrameDecoder, WhatIsNoChunkIsDamage) {
  const auto says = [](std::string_view what) { return "its snappy data is damaged (" + std::string(what) + ")"; };
  EXPECT_EQ(damage_of(chunk(0x02, "?")), says("a chunk is stored in an unknown way"));
  EXPECT_EQ(damage_of(chunk(0xFF, "sNaPpZ")), says("a stream begins with an unknown name"));
  EXPECT_EQ(damage_of(chunk(0x01, "123456789")), says("a chunk does not match its checksum"));
  EXPECT_EQ(damage_of(chunk(0x00, "1234\x05\x10"sv)), says("a chunk cannot be unpacked"));
  EXPECT_EQ(damage_of(chunk(0x01, "123")), says("a chunk has an impossible length"));
  EXPECT_EQ(damage_of(chunk(0x01, std::string(65541, 'x'))), says("a chunk has an impossible length"));
  EXPECT_EQ(damage_of(chunk(0x00, "1234\x81\x80\x04?"sv)), says("a chunk has an impossible length"));
}

TEST(SnappyFrameDecoder, NoChangedByteCrashesIt) {
  expect_changed_bytes_are_survived(make_snappy_frame_decoder,
                                    kIdentifier + kDigits + chunk(0x80, "?") + codec_fixture("framed.snappy").substr(10, 187) + kDigits);
}

}  // namespace
}  // namespace stagegate
