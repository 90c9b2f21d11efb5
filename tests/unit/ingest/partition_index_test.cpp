#include "ingest/partition_index.h"

#include <limits>
#include <map>
#include <random>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

TEST(PartitionIndex, FindsWhatWasSetLast) {
  PartitionIndex index;
  EXPECT_EQ(index.find(0), std::nullopt);
  index.set(3, 7);
  index.set(3, 8);
  EXPECT_EQ(index.find(3), 8U);
  EXPECT_EQ(index.find(2), std::nullopt);
  index.erase(3);
  EXPECT_EQ(index.find(3), std::nullopt);
}

TEST(PartitionIndex, TakesAnyPartitionWithoutRoomForAllBelow) {
  PartitionIndex index;
  index.set(std::numeric_limits<std::int32_t>::max(), 1);
  index.set(0, 2);
  EXPECT_EQ(index.find(std::numeric_limits<std::int32_t>::max()), 1U);
  EXPECT_EQ(index.find(std::numeric_limits<std::int32_t>::max() - 1), std::nullopt);
  EXPECT_EQ(index.find(0), 2U);
}

TEST(PartitionIndex, AgreesWithAMapWhateverTheOrder) {
  std::mt19937 random(1);
  PartitionIndex index;
  std::map<std::int32_t, std::size_t> expected;
  for (std::size_t i = 0; i < 20'000; ++i) {
    const auto partition = static_cast<std::int32_t>(random() % 30'000);
    if (random() % 4 == 0) {
      index.erase(partition);
      expected.erase(partition);
    } else {
      index.set(partition, i);
      expected[partition] = i;
    }
  }
  for (std::int32_t partition = 0; partition < 30'000; ++partition) {
    const auto found = expected.find(partition);
    ASSERT_EQ(index.find(partition), found == expected.end() ? std::nullopt : std::optional(found->second));
  }
}

}  // namespace
}  // namespace stagegate
