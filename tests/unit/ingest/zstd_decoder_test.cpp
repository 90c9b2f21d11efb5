#include "ingest/zstd_decoder.h"

#include <string>

#include <gtest/gtest.h>

#include "unit/ingest/codec_checks.h"
#include "unit/ingest/memory_source.h"

namespace stagegate {
namespace {

// Text that compresses, but not to nothing.
std::string sample_text() {
  std::string text;
  for (int i = 0; i < 2000; ++i) {
    text += std::to_string(i * i) + ",";
  }
  return text;
}

TEST(ZstdDecoder, ReadsOneFrameAndManyForEveryStep) {
  const auto text = sample_text();
  for (const auto& stored : {zstd_frame(text), zstd_frames(text, 997), zstd_frames(text, 64)}) {
    for (const std::size_t source_step : {std::size_t{1}, std::size_t{7}, std::size_t{100'000}}) {
      for (const std::size_t buffer_bytes : {std::size_t{1}, std::size_t{13}, std::size_t{100'000}}) {
        const auto decoded = decode(make_zstd_decoder, stored, source_step, buffer_bytes);
        EXPECT_EQ(decoded.plain, text);
        EXPECT_EQ(decoded.damage, "");
      }
    }
  }
}

TEST(ZstdDecoder, SkipsEmptyAndSkippableFrames) {
  const std::string skippable("\x50\x2A\x4D\x18\x03\0\0\0abc", 11);
  const auto decoded =
      decode(make_zstd_decoder, skippable + zstd_frame("one") + zstd_frame("") + skippable + zstd_frame("two") + zstd_frame(""));
  EXPECT_EQ(decoded.plain, "onetwo");
  EXPECT_EQ(decoded.damage, "");
}

TEST(ZstdDecoder, CutAtAnyByteGivesWhatCameBeforeAndSaysSo) {
  const auto text = sample_text();
  const auto first = zstd_frames(text.substr(0, 5000), 1000);
  const auto stored = first + zstd_frame(text.substr(5000));
  for (std::size_t size = first.size() + 1; size < stored.size(); ++size) {
    const auto decoded = decode(make_zstd_decoder, stored.substr(0, size));
    ASSERT_TRUE(text.starts_with(decoded.plain));
    ASSERT_GE(decoded.plain.size(), 5000U);
    ASSERT_EQ(decoded.damage, "its last zstd frame is cut off") << size;
  }
}

TEST(ZstdDecoder, CutBetweenFramesCannotBeTold) {
  const auto decoded = decode(make_zstd_decoder, zstd_frame("one"));
  EXPECT_EQ(decoded.plain, "one");
  EXPECT_EQ(decoded.damage, "");
}

TEST(ZstdDecoder, BytesThatAreNoFrameAreDamage) {
  const auto decoded = decode(make_zstd_decoder, zstd_frame("one") + "and then something else");
  EXPECT_EQ(decoded.plain, "one");
  EXPECT_EQ(decoded.damage, "its zstd data is damaged (Unknown frame descriptor)");
}

TEST(ZstdDecoder, GivesTheBlocksBeforeADamagedOne) {
  const auto bytes = noise(400'000);  // three blocks of 128 KiB and a rest, as they are
  auto stored = zstd_frame(bytes);
  stored[9 + 3 * 131'075] = '\xFF';  // the header of the fourth: a block of an unknown type
  const auto decoded = decode(make_zstd_decoder, stored, std::string::npos, 1U << 20U);
  EXPECT_TRUE(decoded.plain == bytes.substr(0, 3 * 131'072)) << decoded.plain.size();
  EXPECT_EQ(decoded.damage, "its zstd data is damaged (Data corruption detected)");
}

TEST(ZstdDecoder, NoChangedByteCrashesIt) {
  expect_changed_bytes_are_survived(make_zstd_decoder, zstd_frames(sample_text().substr(0, 3000), 1000), 1U << 30U);
}

}  // namespace
}  // namespace stagegate
