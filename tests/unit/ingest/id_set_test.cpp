#include "ingest/id_set.h"

#include <cstdint>
#include <limits>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

TEST(IdSet, TellsWhatWasThere) {
  IdSet ids;
  for (std::int64_t id = 0; id < 5000; ++id) {
    EXPECT_TRUE(ids.insert(id)) << id;
  }
  for (std::int64_t id = 4999; id >= 0; --id) {
    EXPECT_FALSE(ids.insert(id)) << id;
  }
}

TEST(IdSet, TakesAnyNumbersInAnyOrder) {
  IdSet ids;
  std::set<std::int64_t> known;
  std::mt19937_64 random(7);
  constexpr std::int64_t kExtremes[] = {
      0, -1, -512, -513, 511, 512, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  for (int i = 0; i < 20'000; ++i) {
    const auto number = static_cast<std::int64_t>(random());
    const auto id = i % 3 == 0 ? number : i % 3 == 1 ? number % 2000 : kExtremes[random() % std::size(kExtremes)];
    EXPECT_EQ(ids.insert(id), known.insert(id).second) << id;
  }
}

}  // namespace
}  // namespace stagegate
