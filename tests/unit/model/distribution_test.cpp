#include "model/distribution.h"

#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

// The expectations are those of Python's statistics.median and statistics.quantiles(..., method="inclusive").
// A column of equal values has a way of its own.
TEST(Distribution, OfEqualValuesIsWhatItIsOfAnyOthers) {
  constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{7}, std::int64_t{-3}, kLargest, -kLargest - 1, kLargest / 2}) {
    for (const std::size_t count : {1U, 2U, 3U, 1000U}) {
      const std::vector<std::int64_t> values(count, value);
      EXPECT_EQ(distribution_of(PackedColumn(values)), distribution_of(values)) << value << " " << count;
    }
  }
}

TEST(Distribution, IsLinearBetweenNeighbours) {
  struct Case {
    std::vector<std::int64_t> values;
    double p25;
    double median;
    double p75;
  };
  const std::vector<Case> cases{
      {{7}, 7, 7, 7},
      {{2, 1}, 1.25, 1.5, 1.75},
      {{3, 1, 2}, 1.5, 2, 2.5},
      {{40, 10, 30, 20}, 17.5, 25, 32.5},
      {{5, 1, 4, 2, 3}, 2, 3, 4},
      {{0, 0, 0, 100}, 0, 0, 25},
      {{-4, 4}, -2, 0, 2},
  };
  for (const auto& c : cases) {
    const auto distribution = distribution_of(c.values);
    EXPECT_EQ(distribution.p25.as_double(), c.p25);
    EXPECT_EQ(distribution.median.as_double(), c.median);
    EXPECT_EQ(distribution.p75.as_double(), c.p75);
    EXPECT_EQ(distribution.count, c.values.size());
  }
}

TEST(Distribution, AddsUpAndFindsTheEnds) {
  const auto distribution = distribution_of({5, 1, 9});
  EXPECT_EQ(distribution.min, 1);
  EXPECT_EQ(distribution.max, 9);
  EXPECT_EQ(distribution.sum, 15);
}

TEST(Distribution, SaturatesInsteadOfOverflowing) {
  constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
  const auto distribution = distribution_of({kLargest, kLargest, 1});
  EXPECT_EQ(distribution.sum, kLargest);
  EXPECT_EQ(distribution.max, kLargest);
  EXPECT_EQ(distribution.median.quarters, (std::int64_t{1} << 60) * 4);
}

}  // namespace
}  // namespace stagegate
