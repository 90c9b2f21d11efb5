#include "ingest/zstd_decoder.h"

#include <algorithm>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "unit/ingest/memory_source.h"

namespace stagegate {
namespace {

struct Decoded {
  std::string plain;
  std::string damage;
};

Decoded decode(const std::string& stored, std::size_t source_step = std::string::npos, std::size_t buffer_bytes = 4096) {
  const auto decoder = make_zstd_decoder(std::make_unique<MemorySource>(stored, source_step));
  Decoded result;
  std::string buffer(buffer_bytes, '\0');
  for (;;) {
    const auto count = decoder->read(buffer);
    if (!count || *count == 0) {
      result.damage = decoder->damage();
      return result;
    }
    result.plain.append(buffer, 0, *count);
  }
}

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
        const auto decoded = decode(stored, source_step, buffer_bytes);
        EXPECT_EQ(decoded.plain, text);
        EXPECT_EQ(decoded.damage, "");
      }
    }
  }
}

TEST(ZstdDecoder, SkipsEmptyAndSkippableFrames) {
  const std::string skippable("\x50\x2A\x4D\x18\x03\0\0\0abc", 11);
  const auto decoded = decode(skippable + zstd_frame("one") + zstd_frame("") + skippable + zstd_frame("two") + zstd_frame(""));
  EXPECT_EQ(decoded.plain, "onetwo");
  EXPECT_EQ(decoded.damage, "");
}

TEST(ZstdDecoder, CutAtAnyByteGivesWhatCameBeforeAndSaysSo) {
  const auto text = sample_text();
  const auto first = zstd_frames(text.substr(0, 5000), 1000);
  const auto stored = first + zstd_frame(text.substr(5000));
  for (std::size_t size = first.size() + 1; size < stored.size(); ++size) {
    const auto decoded = decode(stored.substr(0, size));
    ASSERT_TRUE(text.starts_with(decoded.plain));
    ASSERT_GE(decoded.plain.size(), 5000U);
    ASSERT_EQ(decoded.damage, "its last zstd frame is cut off") << size;
  }
}

TEST(ZstdDecoder, CutBetweenFramesCannotBeTold) {
  const auto decoded = decode(zstd_frame("one"));
  EXPECT_EQ(decoded.plain, "one");
  EXPECT_EQ(decoded.damage, "");
}

TEST(ZstdDecoder, BytesThatAreNoFrameAreDamage) {
  const auto decoded = decode(zstd_frame("one") + "and then something else");
  EXPECT_EQ(decoded.plain, "one");
  EXPECT_EQ(decoded.damage, "its zstd data is damaged (Unknown frame descriptor)");
}

TEST(ZstdDecoder, NoChangedByteCrashesIt) {
  const auto stored = zstd_frames(sample_text(), 3000);
  for (std::size_t at = 0; at < stored.size(); at += 3) {
    auto changed = stored;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    decode(changed);
  }
}

}  // namespace
}  // namespace stagegate
