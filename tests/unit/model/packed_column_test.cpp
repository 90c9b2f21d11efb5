#include "model/packed_column.h"

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();

using Values = std::vector<std::int64_t>;

TEST(PackedColumn, GivesBackWhatWasPut) {
  const std::vector<Values> cases{
      {}, {0}, {7}, {5, 5, 5}, {0, 1}, {kLeast, kLargest}, {kLargest, kLeast, 0, -1, 1}, {255, 256, 65535, 65536, 1LL << 40, -(1LL << 40)},
  };
  for (const auto& values : cases) {
    EXPECT_EQ(PackedColumn(values).values(), values);
  }
}

TEST(PackedColumn, CostsNothingWhileAllRowsAreEqual) {
  PackedColumn column;
  for (int i = 0; i < 100'000; ++i) {
    column.push_back(123'456'789);
  }
  EXPECT_EQ(column.heap_bytes(), 0U);
  EXPECT_EQ(column[99'999], 123'456'789);
  column.set(50'000, 1);
  EXPECT_EQ(column[49'999], 123'456'789);
  EXPECT_EQ(column[50'000], 1);
  EXPECT_EQ(column[50'001], 123'456'789);
}

TEST(PackedColumn, TakesAsManyBytesARowAsItsDistancesNeed) {
  PackedColumn counting;
  PackedColumn kilobytes;
  for (std::int64_t i = 0; i < 1'024'000; ++i) {
    counting.push_back(i);
    kilobytes.push_back(i * 7919 % 30'000);
  }
  EXPECT_LT(counting.heap_bytes(), 1'024'000U * 2 + 100'000);
  EXPECT_LT(kilobytes.heap_bytes(), 1'024'000U * 2 + 100'000);
}

// Held against a plain vector, over the borders of chunks and every width.
TEST(PackedColumn, BehavesAsAVector) {
  std::mt19937_64 random(1);
  for (const unsigned bits : {0U, 3U, 8U, 9U, 20U, 33U, 63U}) {
    PackedColumn column;
    Values values;
    const auto draw = [&] { return bits == 0 ? 42 : static_cast<std::int64_t>(random() >> (64U - bits)) - (1LL << (bits - 1) >> 1); };
    for (int step = 0; step < 8000; ++step) {
      const auto action = random() % 16;
      if (action == 0 && !values.empty()) {
        column.pop_back();
        values.pop_back();
      } else if (action < 4 && !values.empty()) {
        const auto row = random() % values.size();
        values[row] = random() % 100 == 0 ? static_cast<std::int64_t>(random()) : draw();
        column.set(row, values[row]);
      } else {
        values.push_back(draw());
        column.push_back(values.back());
      }
    }
    EXPECT_EQ(column.values(), values) << bits;
    const PackedColumn copy = column;
    EXPECT_EQ(copy.values(), values) << bits;
  }
}

TEST(PackedColumn, CanBeEmptiedAndFilledAgain) {
  PackedColumn column(Values{1, 2});
  column.pop_back();
  column.pop_back();
  EXPECT_TRUE(column.empty());
  column.push_back(9);
  EXPECT_EQ(column.values(), Values{9});
  column.fill_up(3);
  EXPECT_EQ(column.values(), (Values{9, 0, 0}));
}

}  // namespace
}  // namespace stagegate
