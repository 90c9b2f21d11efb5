// Tasks as the REST API has them: their order, their failures, what counts as an end.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ingest/read_rest.h"
#include "unit/ingest/rest_answers.h"

namespace stagegate {
namespace {

using Ids = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

StageAttempt stage_of(const std::vector<TaskRow>& rows, std::int64_t tasks, const RestOptions& options = {}) {
  const auto application = read_small({.stages = {{.tasks = tasks, .rows = rows}}}, options);
  EXPECT_EQ(application.stages.size(), 1U);
  return application.stages.empty() ? StageAttempt() : application.stages[0];
}

std::vector<TaskRow> many_rows(int count) {
  std::vector<TaskRow> rows;
  for (int i = 0; i < count; ++i) {
    rows.push_back({.id = 100 + i, .index = i, .duration = 10 + i});
  }
  return rows;
}

TEST(RestTasks, ComeInPages) {
  for (const int page_size : {1, 2, 4, 5, 6, 1000}) {
    const auto stage = stage_of(many_rows(5), 5, {.page_size = page_size});
    EXPECT_EQ(stage.winners.partitions.values(), (Ids{0, 1, 2, 3, 4})) << page_size;
    EXPECT_EQ(stage.totals[index_of(Metric::duration_ms)], 60);
  }
}

TEST(RestTasks, ArePutInTheOrderOfTheirEnds) {
  const auto stage =
      stage_of({{.id = 1, .index = 0, .duration = 500}, {.id = 2, .index = 1, .duration = 300}, {.id = 3, .index = 2, .duration = 300}}, 3);
  EXPECT_EQ(stage.winners.partitions.values(), (Ids{1, 2, 0}));
}

TEST(RestTasks, TheLastSuccessOfAPartitionWins) {
  const auto stage =
      stage_of({{.id = 1, .index = 0, .duration = 500, .bytes = 10}, {.id = 2, .index = 0, .duration = 300, .bytes = 20}}, 1);
  EXPECT_EQ(stage.tasks.succeeded, 1);
  EXPECT_EQ(stage.totals[index_of(Metric::input_bytes)], 10);
  EXPECT_EQ(stage.wasted[index_of(Metric::input_bytes)], 20);
}

TEST(RestTasks, NameTheirPartitionsSinceSpark33) {
  EXPECT_EQ(stage_of({{.index = 0, .partition = "5"}}, 1).winners.partitions.values(), Ids{5});
}

TEST(RestTasks, ThatRunAreNoEnds) {
  const auto application = read_small(
      {.stages = {{.status = "ACTIVE",
                   .tasks = 3,
                   .rows = {{.id = 1}, {.id = 2, .index = 1, .status = "RUNNING"}, {.id = 3, .index = 2, .status = "GET RESULT"}}}},
       .jobs = {{.status = "RUNNING"}},
       .running = true});
  EXPECT_EQ(application.stages.at(0).tasks.succeeded, 1);
  EXPECT_EQ(application.stages.at(0).tasks.failed, 0);
  EXPECT_EQ(codes_of(application), (Texts{"log-in-progress", "stage-open"}));
}

TEST(RestTasks, TheTimeThatAResultTookToFetchIsADetail) {
  const auto stage = stage_of({{.more = R"(,"resultFetchStart":"2026-01-01T00:00:01.060GMT")"}}, 1, {.depth = TaskDepth::all});
  EXPECT_EQ(stage.winners.details[index_of(TaskDetail::getting_result_time_ms)].values(), Ids{40});
}

TEST(RestTasks, CountTheirFailuresAsTheEventLogDoes) {
  const auto stage = stage_of(
      {{.id = 0},
       {.id = 1, .index = 1, .status = "FAILED", .error = R"(java.lang.RuntimeException: bad record 17\n\tat Job.run(Job.scala:3)\n)"},
       {.id = 2,
        .index = 1,
        .attempt = 1,
        .status = "FAILED",
        .error = R"(java.lang.RuntimeException: bad record 18\n\tat Job.run(Job.scala:3)\n)"},
       {.id = 3, .index = 1, .attempt = 2},
       {.id = 4, .index = 0, .status = "KILLED", .speculative = true, .error = "another attempt succeeded"}},
      2);
  EXPECT_EQ(stage.tasks.succeeded, 2);
  EXPECT_EQ(stage.tasks.failed, 2);
  EXPECT_EQ(stage.tasks.killed, 1);
  EXPECT_EQ(stage.tasks.speculative, 1);
  EXPECT_EQ(stage.wasted[index_of(Metric::input_bytes)], 21);
  ASSERT_EQ(stage.failures.size(), 2U);
  EXPECT_EQ(stage.failures[0].reason, "ExceptionFailure");
  EXPECT_EQ(stage.failures[0].error_class, "java.lang.RuntimeException");
  EXPECT_EQ(stage.failures[0].message, "bad record 17");
  EXPECT_EQ(stage.failures[0].count, 2);
  EXPECT_EQ(stage.failures[0].first_partition, 1);
  EXPECT_EQ(stage.failures[0].first_executor, "1");
  EXPECT_EQ(stage.failures[1].reason, "TaskKilled");
  EXPECT_EQ(stage.failures[1].message, "another attempt succeeded");
}

// A history server says zeros, a live UI what the last heartbeat said; the event log has nothing.
TEST(RestTasks, ThatWereLostWithTheirExecutorHaveNoMetrics) {
  const auto stage = stage_of(
      {{.id = 0, .status = "FAILED", .error = "ExecutorLostFailure (executor 1 exited caused by one of the running tasks) Reason: gone"},
       {.id = 1, .attempt = 1}},
      1);
  EXPECT_EQ(stage.tasks.failed, 1);
  EXPECT_FALSE(stage.wasted[index_of(Metric::input_bytes)]);
  EXPECT_EQ(stage.wasted[index_of(Metric::duration_ms)], 100);
}

TEST(RestTasks, ALaterAttemptOfAStageHasItsOwn) {
  const auto application = read_small(
      {.stages = {
           {.attempt = 1, .rows = {{.id = 9, .partition = "1"}}, .submitted = 1500},
           {.attempt = 0,
            .status = "FAILED",
            .tasks = 2,
            .rows =
                {{.id = 1, .partition = "0"},
                 {.id = 2,
                  .index = 1,
                  .partition = "1",
                  .status = "FAILED",
                  .error =
                      R"(FetchFailed(BlockManagerId(1, h, 7337, None), shuffleId=0, mapIndex=0, mapId=0, reduceId=1, message=\norg.apache.spark.shuffle.FetchFailedException: lost\n\tat x\n))"}},
            .completed = 1400,
            .more = R"(,"failureReason":"lost")"}}});
  ASSERT_EQ(application.stages.size(), 2U);
  EXPECT_EQ(application.stages[0].attempt, 0);
  EXPECT_EQ(application.stages[0].status, StageStatus::failed);
  EXPECT_EQ(application.stages[0].failures.at(0).reason, "FetchFailed");
  EXPECT_EQ(application.stages[0].failures.at(0).message, "org.apache.spark.shuffle.FetchFailedException: lost");
  EXPECT_EQ(application.stages[1].winners.partitions.values(), Ids{1});
  EXPECT_TRUE(application.evidence.complete());
}

// As Spark answers for a stage that lost an executor: each task that it had done is counted as failed too, and stays a success in the list.
SmallApplication with_lost_executor(std::int64_t failed) {
  return {.stages = {{.tasks = 2,
                      .rows = {{.id = 0, .index = 0, .executor = "1", .bytes = 10},
                               {.id = 1, .index = 1, .executor = "2", .bytes = 20},
                               {.id = 2, .index = 1, .attempt = 1, .launched = 1300, .executor = "1", .bytes = 30}},
                      .failed = failed}},
          .executors = {{.id = "1"}, {.id = "2", .removed = 1200}}};
}

TEST(RestTasks, ASuccessThatWasLostWithItsExecutorIsWasted) {
  const auto application = read_small(with_lost_executor(1));
  const auto& stage = application.stages.at(0);
  EXPECT_EQ(stage.tasks.succeeded, 2);
  EXPECT_EQ(stage.tasks.failed, 1);
  EXPECT_EQ(stage.totals[index_of(Metric::input_bytes)], 40);
  EXPECT_EQ(stage.wasted[index_of(Metric::input_bytes)], 20);
  ASSERT_EQ(stage.failures.size(), 1U);
  EXPECT_EQ(stage.failures[0].reason, "Resubmitted");
  EXPECT_EQ(stage.failures[0].first_executor, "2");
  EXPECT_TRUE(application.evidence.complete());
}

TEST(RestTasks, ALostSuccessIsFoundBySomethingThatReplacedItToo) {
  auto small = with_lost_executor(1);
  small.executors[1].removed.reset();  // the server has forgotten the executor's end
  const auto application = read_small(small);
  EXPECT_EQ(application.stages.at(0).tasks.failed, 1);
  EXPECT_EQ(application.stages.at(0).failures.at(0).reason, "Resubmitted");
  EXPECT_TRUE(application.evidence.complete());
}

TEST(RestTasks, ThatFailedAndAreMissingAreAHole) {
  EXPECT_EQ(codes_of(read_small(with_lost_executor(2))), Texts{"tasks-missing"});
}

TEST(RestTasks, AListThatIsLongerThanAskedForIsAll) {
  auto server = SmallApplication{.stages = {{.tasks = 5, .rows = many_rows(5)}}}.server(2);
  server.answer("/api/v1/applications/app-1/stages/0/0/taskList?offset=0&length=2", task_list(many_rows(5)));
  const auto application = read_rest_application(server.get(), "app-1", {.page_size = 2});
  ASSERT_TRUE(application) << application.error().message;
  EXPECT_EQ(application->stages.at(0).tasks.succeeded, 5);
  EXPECT_TRUE(application->evidence.complete());
}

TEST(RestTasks, ThatComeTwiceWhileTheyAreReadCountOnce) {
  auto rows = many_rows(3);
  auto server = SmallApplication{.stages = {{.tasks = 3, .rows = rows}}}.server(2);
  server.answer("/api/v1/applications/app-1/stages/0/0/taskList?offset=2&length=2", task_list({rows[1], rows[2]}));
  server.answer("/api/v1/applications/app-1/stages/0/0/taskList?offset=4&length=2", "[]");
  const auto application = read_rest_application(server.get(), "app-1", {.page_size = 2});
  ASSERT_TRUE(application) << application.error().message;
  EXPECT_EQ(application->stages.at(0).tasks.succeeded, 3);
  EXPECT_TRUE(application->evidence.complete());
}

TEST(RestTasks, PagesWithoutEndAreAnError) {
  const WebGet small = [server = SmallApplication{}.server()](std::string_view path) mutable -> Result<WebAnswer> {
    if (path.find("taskList") == std::string_view::npos) {
      return server.get()(path);
    }
    return WebAnswer{
        .status = 200, .content_type = "application/json", .url = "http://host" + std::string(path), .body = task_list(many_rows(2))};
  };
  const auto application = read_rest_application(small, "app-1", {.page_size = 2});
  ASSERT_FALSE(application);
  EXPECT_EQ(application.error().message,
            "http://host/api/v1/applications/app-1/stages/0/0/taskList?offset=2&length=2: the server gives pages of tasks without end");
}

TEST(RestTasks, PagesOfEverNewTasksAreAnErrorToo) {
  std::int64_t id = 0;
  const WebGet endless = [&, server = SmallApplication{}.server()](std::string_view path) mutable -> Result<WebAnswer> {
    if (path.find("taskList") == std::string_view::npos) {
      return server.get()(path);
    }
    std::string rows;
    for (int row = 0; row < 2000; ++row) {
      rows += fmt::format(R"({}{{"taskId":{},"index":0,"status":"RUNNING"}})", row == 0 ? "" : ",", id++);
    }
    return WebAnswer{.status = 200, .content_type = "application/json", .url = "http://host/", .body = "[" + rows + "]"};
  };
  const auto application = read_rest_application(endless, "app-1", {.page_size = 2000});
  ASSERT_FALSE(application);
  EXPECT_LT(id, 110'000);
}

TEST(RestTasks, AClaimOfAMillionCostsNothing) {
  const auto application = read_small({.stages = {{.tasks = 1'000'000, .succeeded = 1'000'000}}});
  EXPECT_EQ(application.stages.at(0).tasks.declared, 1'000'000);
  EXPECT_EQ(application.stages.at(0).tasks.succeeded, 1);
  EXPECT_EQ(codes_of(application), Texts{"tasks-missing"});
}

}  // namespace
}  // namespace stagegate
