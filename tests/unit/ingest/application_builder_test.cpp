// Which task wins, what is wasted, how a stage ended: logs of a few lines whose answers were worked out by hand.
#include "ingest/application_builder.h"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unit/ingest/spark_lines.h"

namespace stagegate {
namespace {

constexpr auto kShuffleRead = index_of(Metric::shuffle_read_bytes);
constexpr auto kInput = index_of(Metric::input_bytes);
constexpr auto kDuration = index_of(Metric::duration_ms);

StageAttempt only_stage(const std::string& log) {
  const auto application = read_text(log);
  EXPECT_TRUE(application);
  EXPECT_EQ(application->stages.size(), 1U);
  return application->stages.at(0);
}

TEST(Winners, AreTheSuccessesOneAPartition) {
  const auto stage = only_stage(log_of_one_stage({.tasks = 2}, {{.index = 0, .shuffle_read = 10}, {.index = 1, .shuffle_read = 30}}));
  EXPECT_EQ(stage.status, StageStatus::complete);
  EXPECT_EQ(stage.tasks.declared, 2);
  EXPECT_EQ(stage.tasks.succeeded, 2);
  EXPECT_EQ(stage.winners.partitions.values(), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(stage.winners.metrics[kShuffleRead].values(), (std::vector<std::int64_t>{10, 30}));
  EXPECT_EQ(stage.totals[kShuffleRead], 40);
  EXPECT_EQ(stage.wasted[kShuffleRead], std::nullopt);
  EXPECT_EQ(stage.distributions[kShuffleRead]->median, Quarters{80});
  EXPECT_EQ(stage.totals[kDuration], 2000);
}

TEST(Winners, TheLastSuccessOfAPartitionWins) {
  const auto stage =
      only_stage(log_of_one_stage({.tasks = 1}, {{.index = 0, .shuffle_read = 10}, {.index = 0, .speculative = true, .shuffle_read = 12}}));
  EXPECT_EQ(stage.tasks.succeeded, 1);
  EXPECT_EQ(stage.tasks.speculative, 1);
  EXPECT_EQ(stage.totals[kShuffleRead], 12);
  EXPECT_EQ(stage.wasted[kShuffleRead], 10);
}

TEST(Winners, ResubmittedTakesOneAway) {
  const auto stage = only_stage(log_of_one_stage({.tasks = 2}, {
                                                                   {.index = 0, .shuffle_read = 10},
                                                                   {.index = 1, .shuffle_read = 20},
                                                                   {.index = 0, .reason = "Resubmitted", .has_metrics = false},
                                                                   {.index = 0, .shuffle_read = 11},
                                                               }));
  EXPECT_EQ(stage.tasks.succeeded, 2);
  EXPECT_EQ(stage.tasks.failed, 1);
  EXPECT_EQ(stage.totals[kShuffleRead], 31);
  EXPECT_EQ(stage.wasted[kShuffleRead], 10);
  EXPECT_EQ(stage.wasted[kDuration], 1000);
}

TEST(Winners, ResubmittedAtTheEndLeavesThePartitionWithoutOne) {
  const auto stage = only_stage(log_of_one_stage({.tasks = 3}, {
                                                                   {.index = 0, .shuffle_read = 10},
                                                                   {.index = 1, .shuffle_read = 20},
                                                                   {.index = 2, .shuffle_read = 30},
                                                                   {.index = 1, .reason = "Resubmitted", .has_metrics = false},
                                                                   {.index = 1, .reason = "Resubmitted", .has_metrics = false},
                                                               }));
  EXPECT_EQ(stage.tasks.succeeded, 2);
  EXPECT_EQ(stage.tasks.failed, 2);
  EXPECT_EQ(stage.totals[kShuffleRead], 40);
  EXPECT_EQ(stage.wasted[kShuffleRead], 20);
  EXPECT_EQ(stage.winners.partitions.values(), (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(stage.winners.metrics[kShuffleRead].values(), (std::vector<std::int64_t>{10, 30}));
}

TEST(Winners, FailedAndKilledTasksAreWasted) {
  const auto stage = only_stage(log_of_one_stage({.tasks = 1}, {
                                                                   {.reason = "ExceptionFailure", .shuffle_read = 1},
                                                                   {.reason = "TaskKilled", .shuffle_read = 2},
                                                                   {.reason = "TaskCommitDenied", .shuffle_read = 4},
                                                                   {.reason = "FetchFailed", .has_metrics = false},
                                                                   {.shuffle_read = 8},
                                                               }));
  EXPECT_EQ(stage.tasks.succeeded, 1);
  EXPECT_EQ(stage.tasks.failed, 2);
  EXPECT_EQ(stage.tasks.killed, 2);
  EXPECT_EQ(stage.totals[kShuffleRead], 8);
  EXPECT_EQ(stage.wasted[kShuffleRead], 7);
}

// Ends of tasks that come behind the end of their stage find the winners that were there before.
TEST(Winners, AreSupersededAndTakenAwayAfterTheirStageHasCompletedToo) {
  const auto application = read_text(whole_log(
      {{.id = 0, .tasks = 3}},
      {stage_submitted({.id = 0, .tasks = 3}), task_end({.index = 0, .shuffle_read = 10}), task_end({.index = 1, .shuffle_read = 20}),
       task_end({.index = 2, .shuffle_read = 30}), stage_completed({.id = 0, .tasks = 3}), task_end({.index = 1, .shuffle_read = 25}),
       task_end({.index = 2, .reason = "Resubmitted", .has_metrics = false}), task_end({.index = 2, .shuffle_read = 40})}));
  ASSERT_TRUE(application);
  const auto& stage = application->stages[0];
  EXPECT_EQ(stage.tasks.succeeded, 3);
  EXPECT_EQ(stage.totals[kShuffleRead], 10 + 25 + 40);
  EXPECT_EQ(stage.wasted[kShuffleRead], 20 + 30);
}

TEST(Failures, OfOneKindAreCountedTogether) {
  const auto failure = [](int index, const std::string& message) {
    return TaskLine{.index = index, .reason = "ExceptionFailure", .message = message};
  };
  const auto stage = only_stage(log_of_one_stage({.tasks = 2}, {failure(1, "no room at 0x7efca0872010"),
                                                                failure(0, "no room at 0x7efc49a7c010"),
                                                                failure(0, "Traceback (most recent call last):\\n  File\\nValueError: bad"),
                                                                {.index = 0},
                                                                {.index = 1}}));
  ASSERT_EQ(stage.failures.size(), 2U);
  EXPECT_EQ(stage.failures[0].message, "no room at 0x7efca0872010");
  EXPECT_EQ(stage.failures[0].count, 2);
  EXPECT_EQ(stage.failures[0].first_partition, 1);
  EXPECT_EQ(stage.failures[1].message, "ValueError: bad");
  EXPECT_EQ(stage.other_failures, 0);
}

TEST(Winners, AMetricThatNoneHasIsAbsentAndNotZero) {
  const auto stage =
      only_stage(log_of_one_stage({.tasks = 2}, {
                                                    {.index = 0, .reason = "ExceptionFailure", .shuffle_read = std::nullopt, .input = 9},
                                                    {.index = 0, .shuffle_read = std::nullopt},
                                                    {.index = 1, .shuffle_read = 0},
                                                }));
  EXPECT_EQ(stage.totals[kInput], std::nullopt);
  EXPECT_EQ(stage.distributions[kInput], std::nullopt);
  EXPECT_TRUE(stage.winners.metrics[kInput].empty());
  EXPECT_EQ(stage.wasted[kInput], 9);
  EXPECT_EQ(stage.totals[kShuffleRead], 0);
  EXPECT_EQ(stage.winners.metrics[kShuffleRead].values(), (std::vector<std::int64_t>{0, 0}));
}

TEST(Winners, AMetricIsAbsentWhenItsOnlyWinnerIsTakenAway) {
  const auto stage = only_stage(log_of_one_stage({.tasks = 2}, {
                                                                   {.index = 0, .shuffle_read = 10},
                                                                   {.index = 1, .shuffle_read = std::nullopt},
                                                                   {.index = 0, .reason = "Resubmitted", .has_metrics = false},
                                                                   {.index = 0, .shuffle_read = std::nullopt},
                                                               }));
  EXPECT_EQ(stage.totals[kShuffleRead], std::nullopt);
  EXPECT_EQ(stage.wasted[kShuffleRead], 10);
}

TEST(Winners, CountTasksThatEndAfterTheirStageAndTheirJob) {
  const StageLine line{.tasks = 1};
  const auto stage =
      only_stage(lines({log_start(), application_start(), job_start(0, {line}), stage_submitted(line), task_end({.shuffle_read = 5}),
                        stage_completed(line), job_end(0), task_end({.reason = "TaskKilled", .shuffle_read = 3}), application_end()}));
  EXPECT_EQ(stage.tasks.killed, 1);
  EXPECT_EQ(stage.totals[kShuffleRead], 5);
  EXPECT_EQ(stage.wasted[kShuffleRead], 3);
}

TEST(Winners, OfSeveralAttemptsAreKeptApart) {
  const StageLine first{.tasks = 2, .failure_reason = "fetch failed"};
  const StageLine second{.attempt = 1, .tasks = 1};
  const auto application =
      read_text(whole_log({first}, {stage_submitted({.tasks = 2}), task_end({.index = 0, .partition = 0, .shuffle_read = 1}),
                                    stage_completed(first), stage_submitted(second),
                                    task_end({.attempt = 1, .index = 0, .partition = 1, .shuffle_read = 2}), stage_completed(second)}));
  ASSERT_TRUE(application);
  ASSERT_EQ(application->stages.size(), 2U);
  EXPECT_EQ(application->stages[0].status, StageStatus::failed);
  EXPECT_EQ(application->stages[0].failure_reason, "fetch failed");
  EXPECT_EQ(application->stages[0].winners.partitions.values(), std::vector<std::int64_t>{0});
  EXPECT_EQ(application->stages[1].status, StageStatus::complete);
  EXPECT_EQ(application->stages[1].winners.partitions.values(), std::vector<std::int64_t>{1});
  EXPECT_EQ(application->stages[1].jobs, std::vector<std::int64_t>{0});
  EXPECT_TRUE(application->evidence.complete());
}

TEST(Winners, SumsSaturate) {
  constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
  const auto stage =
      only_stage(log_of_one_stage({.tasks = 2}, {{.index = 0, .shuffle_read = kLargest}, {.index = 1, .shuffle_read = kLargest}}));
  EXPECT_EQ(stage.totals[kShuffleRead], kLargest);
}

std::optional<StageStatus> status_of(const std::vector<std::string>& events) {
  auto log = lines({log_start(), application_start()});
  for (const auto& event : events) {
    log += event + "\n";
  }
  return only_stage(log).status;
}

TEST(StageStatus, FollowsSparksOwnListener) {
  const StageLine stage{.tasks = 1, .submitted_ms = std::nullopt};
  const StageLine done{.tasks = 1};
  const StageLine failed{.tasks = 1, .failure_reason = "boom"};
  const StageLine found_done{.tasks = 1, .submitted_ms = std::nullopt};
  EXPECT_EQ(status_of({job_start(0, {stage})}), StageStatus::pending);
  EXPECT_EQ(status_of({job_start(0, {stage}), job_end(0)}), StageStatus::skipped);
  EXPECT_EQ(status_of({job_start(0, {stage}), stage_submitted(stage)}), StageStatus::active);
  EXPECT_EQ(status_of({job_start(0, {stage}), stage_submitted(stage), job_end(0)}), StageStatus::active);
  EXPECT_EQ(status_of({job_start(0, {stage}), stage_submitted(stage), stage_completed(done)}), StageStatus::complete);
  EXPECT_EQ(status_of({job_start(0, {stage}), stage_submitted(stage), stage_completed(failed)}), StageStatus::failed);
  EXPECT_EQ(status_of({job_start(0, {stage}), stage_submitted(stage), stage_completed(found_done)}), StageStatus::skipped);
  EXPECT_EQ(status_of({task_end({})}), StageStatus::unknown);
}

TEST(StageStatus, AStageOfTwoJobsWaitsAsLongAsOneOfThemRuns) {
  const StageLine stage{.tasks = 1, .submitted_ms = std::nullopt};
  EXPECT_EQ(status_of({job_start(0, {stage}), job_end(0), job_start(1, {stage})}), StageStatus::pending);
  EXPECT_EQ(status_of({job_start(0, {stage}), job_end(0), job_start(1, {stage}), job_end(1, "JobFailed")}), StageStatus::skipped);
}

TEST(Labels, AreTheStagesOwnElseTheJobs) {
  const StageLine own{.id = 0, .properties = R"("spark.job.description":"own","spark.sql.execution.id":"7")"};
  const StageLine none{.id = 1};
  const auto application =
      read_text(lines({application_start(),
                       job_start(0, {own, none}, R"("spark.jobGroup.id":"g","spark.job.description":"d","spark.sql.execution.id":"5")"),
                       stage_submitted(own), stage_submitted(none)}));
  ASSERT_TRUE(application);
  EXPECT_EQ(application->stages[0].group, "g");
  EXPECT_EQ(application->stages[0].description, "own");
  EXPECT_EQ(application->stages[0].sql_execution, 7);
  EXPECT_EQ(application->stages[1].group, "g");
  EXPECT_EQ(application->stages[1].description, "d");
  EXPECT_EQ(application->stages[1].sql_execution, 5);
  EXPECT_EQ(application->jobs[0].description, "d");
}

TEST(Jobs, ListTheirStagesAndHowTheyEnded) {
  const auto application =
      read_text(lines({application_start(), job_start(2, {{.id = 4}, {.id = 3}}), job_start(1, {{.id = 3}}), job_end(2, "JobFailed")}));
  ASSERT_TRUE(application);
  ASSERT_EQ(application->jobs.size(), 2U);
  EXPECT_EQ(application->jobs[0].id, 1);
  EXPECT_EQ(application->jobs[0].status, JobStatus::running);
  EXPECT_EQ(application->jobs[1].status, JobStatus::failed);
  EXPECT_EQ(application->jobs[1].stages, (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(application->stages[0].jobs, (std::vector<std::int64_t>{1, 2}));
}

TEST(Jobs, OfSparkBeforeStageInfosListTheirStagesByNumber) {
  const auto application =
      read_text(lines({application_start(), R"({"Event":"SparkListenerJobStart","Job ID":0,"Stage IDs":[1,0]})", job_end(0)}));
  ASSERT_TRUE(application);
  ASSERT_EQ(application->stages.size(), 2U);
  EXPECT_EQ(application->stages[1].status, StageStatus::skipped);
}

TEST(Cores, AreThoseWhenTheStageWasSubmitted) {
  const auto application =
      read_text(lines({environment(R"("spark.master":"yarn")"), application_start(), executor_added("1", 4),
                       job_start(0, {{.id = 0}, {.id = 1}, {.id = 2}}), stage_submitted({.id = 0}), executor_added("2", 8),
                       stage_submitted({.id = 1}), executor_removed("1"), executor_removed("2")}));
  ASSERT_TRUE(application);
  EXPECT_EQ(application->stages[0].cores, 4);
  EXPECT_EQ(application->stages[1].cores, 12);
  EXPECT_EQ(application->stages[2].cores, std::nullopt);
  EXPECT_EQ(application->cores, 12);
  ASSERT_EQ(application->executors.size(), 2U);
  EXPECT_EQ(application->executors[0].removed_ms, 60);
  EXPECT_EQ(application->executors[0].removed_reason, "gone");
}

TEST(Cores, FollowTheApplicationsParallelismAndNotASessions) {
  const auto application =
      read_text(lines({environment(R"("spark.master":"local[4]","spark.default.parallelism":"6")"), application_start(),
                       executor_added("driver", 4), stage_submitted({.properties = R"("spark.default.parallelism":"99")"})}));
  ASSERT_TRUE(application);
  EXPECT_EQ(application->stages[0].cores, 6);
}

}  // namespace
}  // namespace stagegate
