#include "model/order_statistics.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

using Values = std::vector<std::int64_t>;

constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();

Values values_at(const Values& values, const std::vector<std::size_t>& positions) {
  Values found(positions.size());
  find_in_order(values, ends_of(values), positions, found);
  return found;
}

// Each position of the sorted order, one by one and all at once.
void expect_the_sorted_order(const Values& values, const std::string& what) {
  auto sorted = values;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::size_t> all(values.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  EXPECT_EQ(values_at(values, all), sorted) << what;
  for (const auto position : {std::size_t{0}, values.size() / 4, values.size() / 2, values.size() - 1}) {
    EXPECT_EQ(values_at(values, {position}), Values{sorted[position]}) << what << " at " << position;
    EXPECT_EQ(values_at(values, {position, position}), (Values{sorted[position], sorted[position]})) << what;
  }
}

TEST(FindInOrder, FindsWhatSortingFinds) {
  std::mt19937_64 random(5);  // NOLINT(bugprone-random-generator-seed): the same each time
  for (const std::size_t size : {1U, 2U, 47U, 48U, 49U, 255U, 256U, 257U, 1000U, 5000U}) {
    for (const int bits : {1, 7, 8, 9, 16, 33, 62, 64}) {
      Values values(size);
      std::generate(values.begin(), values.end(), [&] { return static_cast<std::int64_t>(random() >> static_cast<unsigned>(64 - bits)); });
      expect_the_sorted_order(values, std::to_string(size) + " values of " + std::to_string(bits) + " bits");
    }
  }
}

TEST(FindInOrder, TakesTheEndsOfTheirRange) {
  Values values(100, 0);
  values[3] = kLeast;
  values[50] = kLargest;
  values[99] = -1;
  expect_the_sorted_order(values, "both ends");
  expect_the_sorted_order(Values(100, kLargest), "the largest only");
  expect_the_sorted_order(Values(100, kLeast), "the least only");
}

// One that is far from all others leaves these in one bucket, level after level.
TEST(FindInOrder, FindsValuesThatLieCloseTogether) {
  Values values(1000, 7);
  for (std::size_t i = 0; i < 60; ++i) {
    values[i] = std::int64_t{1} << i;
  }
  expect_the_sorted_order(values, "powers of two");
}

TEST(FindInOrder, MayBeAskedForNothing) {
  EXPECT_TRUE(values_at(Values(100, 1), {}).empty());
}

}  // namespace
}  // namespace stagegate
