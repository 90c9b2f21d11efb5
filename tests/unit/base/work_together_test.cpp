#include "base/work_together.h"

#include <atomic>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

TEST(WorkTogether, DoesEachPieceOnce) {
  for (const int threads : {0, 1, 2, 7}) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
      std::vector<std::atomic<int>> done(count);
      work_together(count, threads, [&](std::size_t i) { ++done[i]; });
      for (const auto& times : done) {
        EXPECT_EQ(times, 1) << count << " pieces, " << threads << " threads";
      }
    }
  }
}

TEST(WorkTogether, ThrowsOnWhatAPieceThrows) {
  const auto fails = [](std::size_t i) {
    if (i == 5) {
      throw std::runtime_error("piece 5");
    }
  };
  EXPECT_THROW(work_together(10, 1, fails), std::runtime_error);
  EXPECT_THROW(work_together(10, 4, fails), std::runtime_error);
}

}  // namespace
}  // namespace stagegate
