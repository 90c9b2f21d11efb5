#include "model/pool_attempts.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

constexpr auto kRead = index_of(Metric::shuffle_read_bytes);
constexpr auto kWrite = index_of(Metric::shuffle_write_bytes);

void set(StageAttempt& stage, std::size_t metric, const std::vector<std::int64_t>& values) {
  stage.winners.metrics[metric] = PackedColumn(values);
  if (!values.empty()) {
    stage.distributions[metric] = distribution_of(values);
  }
}

StageAttempt attempt_of(std::int32_t id, std::int32_t attempt, const std::vector<std::int64_t>& partitions,
                        const std::vector<std::int64_t>& shuffle_read) {
  StageAttempt stage;
  stage.id = id;
  stage.attempt = attempt;
  stage.status = StageStatus::complete;
  stage.winners.partitions = PackedColumn(partitions);
  set(stage, kRead, shuffle_read);
  return stage;
}

TEST(PoolAttempts, KeepsALoneAttemptAsItIs) {
  Application application;
  application.stages = {attempt_of(3, 0, {0, 1, 2}, {10, 30, 20})};
  const auto stages = pool_attempts(application);
  ASSERT_EQ(stages.size(), 1U);
  EXPECT_EQ(stages[0].id, 3);
  EXPECT_EQ(stages[0].tasks, 3);
  EXPECT_EQ(stages[0].metrics[kRead]->median.as_double(), 20);
  EXPECT_EQ(stages[0].metrics[kRead]->sum, 60);
  EXPECT_FALSE(stages[0].metrics[kWrite]);
}

// A fetch failure: the second attempt runs only what is missing, and partition 1, which had succeeded, again.
TEST(PoolAttempts, TakesTheLastSuccessOfEachPartition) {
  auto first = attempt_of(4, 0, {0, 1}, {100, 200});
  first.status = StageStatus::failed;
  first.tasks.failed = 1;
  first.wasted[kRead] = 7;
  Application application;
  application.stages = {first, attempt_of(4, 1, {1, 2}, {210, 300})};
  const auto stages = pool_attempts(application);
  ASSERT_EQ(stages.size(), 1U);
  EXPECT_EQ(stages[0].attempts, 2);
  EXPECT_EQ(stages[0].tasks, 3);
  EXPECT_EQ(stages[0].failed, 1);
  EXPECT_EQ(stages[0].metrics[kRead]->sum, 100 + 210 + 300);
  EXPECT_EQ(stages[0].wasted[kRead], 7 + 200);
}

TEST(PoolAttempts, CountsAMetricThatOneAttemptLacksAsZeroThere) {
  auto second = attempt_of(5, 1, {1}, {20});
  set(second, kWrite, {9});
  Application application;
  application.stages = {attempt_of(5, 0, {0}, {10}), second};
  const auto stages = pool_attempts(application);
  EXPECT_EQ(stages[0].metrics[kWrite]->sum, 9);
  EXPECT_EQ(stages[0].metrics[kWrite]->min, 0);
}

TEST(PoolAttempts, LeavesOutWhatNeverRan) {
  auto skipped = attempt_of(6, 0, {}, {});
  skipped.status = StageStatus::skipped;
  Application application;
  application.stages = {skipped};
  EXPECT_TRUE(pool_attempts(application).empty());
}

}  // namespace
}  // namespace stagegate
