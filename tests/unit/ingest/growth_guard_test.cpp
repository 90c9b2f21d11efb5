#include "ingest/growth_guard.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "ingest/zstd_decoder.h"
#include "unit/ingest/memory_source.h"

namespace stagegate {
namespace {

struct Guarded {
  std::size_t plain_bytes = 0;
  std::string damage;
};

Guarded read_guarded(const std::string& stored, const GrowthLimits& limits) {
  const auto decoder = guard_growth(std::make_unique<MemorySource>(stored), make_zstd_decoder, limits);
  Guarded result;
  std::string buffer(1000, '\0');
  while (const auto count = decoder->read(buffer).value_or(0)) {
    result.plain_bytes += count;
  }
  result.damage = decoder->damage();
  return result;
}

TEST(GrowthGuard, StopsDataThatGrowsBeyondBothLimits) {
  const auto stored = zstd_frame(std::string(100'000, ' '));  // some 30 bytes
  ASSERT_LT(stored.size(), 100U);
  const auto stopped = read_guarded(stored, {.plain_bytes = 50'000, .factor = 100});
  EXPECT_EQ(stopped.plain_bytes, 50'000U);
  EXPECT_EQ(stopped.damage, "it grows more than a thousandfold when it is unpacked, which no event log does");
}

TEST(GrowthGuard, LetsPassWhatIsSmallOrGrowsLittle) {
  const auto stored = zstd_frame(std::string(100'000, ' '));
  for (const auto& limits : {GrowthLimits{.plain_bytes = 100'000, .factor = 100}, GrowthLimits{.plain_bytes = 0, .factor = 100'000}}) {
    const auto whole = read_guarded(stored, limits);
    EXPECT_EQ(whole.plain_bytes, 100'000U);
    EXPECT_EQ(whole.damage, "");
  }
}

TEST(GrowthGuard, HandsTheDamageOfTheDecoderOn) {
  const auto stored = zstd_frame(std::string(100'000, ' '));
  EXPECT_EQ(read_guarded(stored.substr(0, stored.size() - 1), {}).damage, "its last zstd frame is cut off");
}

TEST(GrowthGuard, AllowsAThousandfoldAndAGibibyteIfNotToldOtherwise) {
  const GrowthLimits limits;
  constexpr std::uint64_t kGiB = 1U << 30U;
  EXPECT_FALSE(limits.passed(1, kGiB));
  EXPECT_TRUE(limits.passed(1, kGiB + 1));
  EXPECT_FALSE(limits.passed(2 * kGiB, 2000 * kGiB));
  EXPECT_TRUE(limits.passed(2 * kGiB, 2000 * kGiB + 1));
}

}  // namespace
}  // namespace stagegate
