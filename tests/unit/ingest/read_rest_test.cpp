// From the answers of Spark's REST API to an Application.
#include "ingest/read_rest.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/plans.h"
#include "unit/ingest/rest_answers.h"

namespace stagegate {
namespace {

using Texts = std::vector<std::string>;
using Ids = std::vector<std::int64_t>;

std::vector<LogHead> heads_of(const std::string& answer) {
  RecordedServer server;
  server.answer("/api/v1/applications", answer);
  const auto heads = list_rest_applications(server.get());
  EXPECT_TRUE(heads) << heads.error().message;
  std::vector<LogHead> result;
  for (const auto& served : heads.value_or(std::vector<ServedApplication>())) {
    result.push_back(served.head);
  }
  return result;
}

TEST(RestList, HasEveryAttemptOfEveryApplicationInTheOrderOfTheServer) {
  const auto heads =
      heads_of(R"([{"id":"app-2","name":"b","attempts":[{"attemptId":"2","startTime":"2015-03-17T23:11:50.242GMT","completed":true},)"
               R"({"attemptId":"1","startTime":"2015-03-16T19:25:10.242GMT","completed":true}]},)"
               R"({"id":"app-1","name":"a","attempts":[{"startTime":"2015-02-03T16:42:59.720GMT","startTimeEpoch":1422981779720}]}])");
  ASSERT_EQ(heads.size(), 3U);
  EXPECT_EQ(heads[0].log, "app-2/2");
  EXPECT_EQ(heads[1].log, "app-2/1");
  EXPECT_EQ(heads[1].id, "app-2");
  EXPECT_EQ(heads[1].attempt, "1");
  EXPECT_EQ(heads[1].start_ms, 1426533910242);  // as Spark's own answer has it
  EXPECT_EQ(heads[2].log, "app-1");
  EXPECT_EQ(heads[2].name, "a");
  EXPECT_FALSE(heads[2].attempt);
  EXPECT_EQ(heads[2].start_ms, 1422981779720);
}

TEST(RestList, OfAServerWithoutApplicationsIsEmpty) {
  EXPECT_TRUE(heads_of("[ ]").empty());
}

TEST(ReadRest, HasWhatTheServerSaysOfTheApplication) {
  const auto application = read_small({});
  EXPECT_EQ(application.id, "app-1");
  EXPECT_EQ(application.name, "a job");
  EXPECT_FALSE(application.attempt);
  EXPECT_EQ(application.spark_version, "3.5.1");
  EXPECT_EQ(application.start_ms, kRestStart);
  EXPECT_EQ(application.end_ms, kRestStart + 3000);
  EXPECT_EQ(application.cores, 4);
  EXPECT_EQ(application.spark_properties.at("spark.master"), "spark://host:7077");
  EXPECT_EQ(application.jvm.at("Java Version"), "17.0.15+6-Debian");
  EXPECT_EQ(application.jvm.at("Scala Version"), "version 2.12.18");
  ASSERT_EQ(application.resource_profiles.size(), 1U);
  EXPECT_EQ(application.resource_profiles[0].executor.at("cores"), "4");
  EXPECT_EQ(application.resource_profiles[0].task.at("cpus"), "1.0");  // as the event log writes it
  EXPECT_TRUE(application.evidence.complete());
}

TEST(ReadRest, HasWhatTheServerSaysOfAStage) {
  const auto application = read_small({});
  ASSERT_EQ(application.stages.size(), 1U);
  const auto& stage = application.stages[0];
  EXPECT_EQ(stage.status, StageStatus::complete);
  EXPECT_EQ(stage.name, "count at job.py:0");
  EXPECT_EQ(stage.details, "its stack");
  EXPECT_EQ(stage.jobs, Ids{0});
  EXPECT_EQ(stage.submitted_ms, kRestStart + 1000);
  EXPECT_EQ(stage.completed_ms, kRestStart + 2000);
  EXPECT_EQ(stage.cores, 4);
  EXPECT_EQ(stage.tasks.declared, 1);
  EXPECT_EQ(stage.tasks.succeeded, 1);
  ASSERT_EQ(stage.rdds.size(), 3U);
  EXPECT_EQ(stage.rdds[0].id, 3);  // its own first, the others by id
  EXPECT_EQ(stage.rdds[1].id, 4);
  EXPECT_EQ(stage.rdds[2].id, 9);
}

TEST(ReadRest, AddsUpRemoteAndLocalShuffleRead) {
  const auto stage = read_small({}).stages.at(0);
  EXPECT_EQ(stage.totals[index_of(Metric::shuffle_read_bytes)], 14);
  EXPECT_EQ(stage.totals[index_of(Metric::shuffle_write_bytes)], 7);
  EXPECT_EQ(stage.totals[index_of(Metric::duration_ms)], 100);
}

TEST(ReadRest, KeepsTheDetailsOfTasksWhereTheyAreAskedFor) {
  EXPECT_TRUE(read_small({}).stages.at(0).winners.task_ids.empty());
  const auto application = read_small({.stages = {{.rows = {{.id = 42, .attempt = 1, .executor = "7"}}}}}, {.depth = TaskDepth::all});
  const auto& winners = application.stages.at(0).winners;
  EXPECT_EQ(winners.task_ids.values(), Ids{42});
  EXPECT_EQ(winners.attempt_numbers.values(), Ids{1});
  EXPECT_EQ(winners.launched_ms.values(), Ids{kRestStart + 1000});
  EXPECT_EQ(winners.details[index_of(TaskDetail::run_time_ms)].values(), Ids{80});
  EXPECT_EQ(winners.details[index_of(TaskDetail::shuffle_read_remote)].values(), Ids{7});
  EXPECT_EQ(winners.details[index_of(TaskDetail::remote_requests_time_ms)].values(), Ids{6});
  EXPECT_EQ(winners.details[index_of(TaskDetail::shuffle_write_time_ns)].values(), Ids{8});
  EXPECT_EQ(application.places, (std::vector<TaskPlace>{{"7", "host-1"}}));
}

TEST(ReadRest, TakesNoZeroOfAMetricThatTheApplicationsSparkDidNotHave) {
  const auto details = read_small({.version = "3.3.4"}, {.depth = TaskDepth::all}).stages.at(0).winners.details;
  EXPECT_TRUE(details[index_of(TaskDetail::merged_local_bytes)].empty());
  EXPECT_TRUE(details[index_of(TaskDetail::remote_requests_time_ms)].empty());
  EXPECT_FALSE(details[index_of(TaskDetail::peak_memory)].empty());
}

TEST(ReadRest, ReadsTheNewestAttemptWhereNoneIsNamed) {
  auto server = SmallApplication{.attempt = "2"}.server();
  const auto get = server.get();
  for (const auto* const name : {"app-1", "app-1/2"}) {
    const auto application = read_rest_application(get, name);
    ASSERT_TRUE(application) << application.error().message;
    EXPECT_EQ(application->attempt, "2");
    EXPECT_EQ(application->stages.size(), 1U);
  }
  const auto other = read_rest_application(get, "app-1/3");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, "http://host:18080/api/v1/applications/app-1: the application has no attempt '3'");
}

TEST(ReadRest, ALiveUiAnswersForAnyAttempt) {
  auto server = SmallApplication{}.server();
  const auto application = read_rest_application(server.get(), "app-1/1");
  ASSERT_TRUE(application) << application.error().message;
  EXPECT_FALSE(application->attempt);
}

TEST(ReadRest, AsksTheServerForTheVersionThatAnAttemptDoesNotSay) {
  auto server = SmallApplication{}.server();
  server.answer("/api/v1/applications/app-1",
                R"({"id":"app-1","name":"a","attempts":[{"startTime":"2026-01-01T00:00:00.000GMT","endTime":"2026-01-01T00:00:03.000GMT",)"
                R"("completed":true}]})");
  server.answer("/api/v1/version", R"({"spark":"3.2.1"})");
  const auto application = read_rest_application(server.get(), "app-1");
  ASSERT_TRUE(application) << application.error().message;
  EXPECT_EQ(application->spark_version, "3.2.1");
  EXPECT_EQ(application->end_ms, kRestStart + 3000);
}

TEST(ReadRest, AnEmptyVersionIsNone) {
  EXPECT_FALSE(read_small({.version = ""}).spark_version);
}

TEST(ReadRest, LeavesOutADriverThatRunsNoTasks) {
  const auto application = read_small({.executors = {{.id = "driver", .host_port = "host-0:4000", .cores = 0, .added = 100},
                                                     {.id = "10", .host_port = "host-1:38001", .added = 600},
                                                     {.id = "9", .host_port = "[::1]:38001", .added = 600, .removed = 1500}}});
  ASSERT_EQ(application.executors.size(), 2U);
  EXPECT_EQ(application.executors[0].id, "9");
  EXPECT_EQ(application.executors[0].host, "[::1]");
  EXPECT_EQ(application.executors[0].removed_ms, kRestStart + 1500);
  EXPECT_EQ(application.executors[0].removed_reason, "Executor Process Lost");
  EXPECT_EQ(application.executors[1].id, "10");
  EXPECT_EQ(application.executors[1].host, "host-1");
  EXPECT_EQ(application.executors[1].cores, 4);
  EXPECT_FALSE(application.executors[1].removed_ms);
}

TEST(ReadRest, CountsTheCoresThatAStageHadWhenItWasSubmitted) {
  const auto application = read_small({.stages = {{.id = 1, .submitted = 1000}, {.id = 2, .rows = {{.id = 1}}, .submitted = 1800}},
                                       .jobs = {{.stages = "1, 2, 0", .skipped = 1}},
                                       .executors = {{.id = "1"}, {.id = "2", .removed = 1500}, {.id = "3", .cores = 2, .added = 1600}}});
  ASSERT_EQ(application.stages.size(), 3U);
  EXPECT_EQ(application.stages[1].cores, 8);
  EXPECT_EQ(application.stages[2].cores, 6);
  EXPECT_EQ(application.cores, 6);
}

TEST(ReadRest, GivesAStageTheLabelsOfTheJobThatWasActiveAndItsOwnDescription) {
  const auto application = read_small(
      {.stages = {{.id = 0, .more = R"(,"description":"its own")"}, {.id = 1, .rows = {{.id = 1}}, .submitted = 5000, .completed = 5500}},
       .jobs = {{.id = 0, .stages = "0", .completed = 2100, .more = R"(,"jobGroup":"first","description":"of the job")"},
                {.id = 1, .stages = "0, 1", .submitted = 4900, .completed = 5600, .more = R"(,"jobGroup":"second")"}},
       .executions = {{.id = 5, .jobs = "1"}}});
  ASSERT_EQ(application.jobs.size(), 2U);
  EXPECT_EQ(application.jobs[0].group, "first");
  EXPECT_EQ(application.jobs[0].description, "of the job");
  EXPECT_FALSE(application.jobs[0].sql_execution);
  EXPECT_EQ(application.jobs[1].sql_execution, 5);
  EXPECT_EQ(application.jobs[1].stages, (Ids{0, 1}));
  EXPECT_EQ(application.stages[0].jobs, (Ids{0, 1}));
  EXPECT_EQ(application.stages[0].group, "first");
  EXPECT_EQ(application.stages[0].description, "its own");
  EXPECT_EQ(application.stages[1].group, "second");
  EXPECT_EQ(application.stages[1].sql_execution, 5);
}

TEST(ReadRest, KnowsSkippedFailedPendingAndActiveStages) {
  const auto application =
      read_small({.stages = {{.id = 0, .status = "SKIPPED", .rows = {}},
                             {.id = 1, .status = "FAILED", .rows = {}, .more = R"(,"failureReason":"no way")"},
                             {.id = 2, .status = "PENDING", .rows = {}},
                             {.id = 3, .status = "ACTIVE", .tasks = 2, .rows = {{.id = 7}, {.id = 8, .status = "RUNNING"}}}},
                  .jobs = {{.id = 0, .stages = "0, 1"}, {.id = 1, .status = "RUNNING", .stages = "2, 3"}},
                  .running = true});
  ASSERT_EQ(application.stages.size(), 4U);
  EXPECT_EQ(application.stages[0].status, StageStatus::skipped);
  EXPECT_EQ(application.stages[0].name, "count at job.py:0");
  EXPECT_EQ(application.stages[1].status, StageStatus::failed);
  EXPECT_EQ(application.stages[1].failure_reason, "no way");
  EXPECT_EQ(application.stages[2].status, StageStatus::pending);
  EXPECT_EQ(application.stages[3].status, StageStatus::active);
  EXPECT_EQ(application.stages[3].tasks.succeeded, 1);
  EXPECT_EQ(application.jobs[0].status, JobStatus::succeeded);
  EXPECT_EQ(application.jobs[1].status, JobStatus::running);
}

TEST(ReadRest, SaysWhyAJobFailedWhereAStageOfItWasGivenUp) {
  const auto application =
      read_small({.stages = {{.status = "FAILED",
                              .rows = {},
                              .more = R"(,"failureReason":"Job aborted due to stage failure: Task 0\n\nDriver stacktrace:")"}},
                  .jobs = {{.status = "FAILED"}},
                  .executions = {{.status = "FAILED"}}});
  EXPECT_EQ(application.jobs.at(0).status, JobStatus::failed);
  EXPECT_EQ(application.jobs.at(0).error, "Job aborted due to stage failure: Task 0");
  EXPECT_EQ(application.executions.at(0).error, "Job aborted due to stage failure: Task 0\n\nDriver stacktrace:");
}

TEST(ReadRest, AnExecutionThatFailedIsNeverTakenForOneThatSucceeded) {
  const auto application = read_small({.executions = {{.status = "FAILED", .jobs = ""}, {.id = 1, .jobs = ""}}});
  EXPECT_FALSE(application.executions.at(0).error.value_or("").empty());
  EXPECT_TRUE(application.executions.at(1).error.value_or("").empty());
}

TEST(ReadRest, ARunningApplicationIsNotWhole) {
  const auto application = read_small({.jobs = {{.status = "RUNNING"}}, .running = true});
  EXPECT_FALSE(application.end_ms);
  ASSERT_EQ(codes_of(application), Texts{"log-in-progress"});
  EXPECT_EQ(application.evidence.problems[0].message,
            "the application has not ended, as far as the server knows: it is still running, or its driver was killed; what it did last is "
            "missing");
}

TEST(ReadRest, FillsInWhatTheServerKnowsOfACachedRdd) {
  const auto application = read_small(
      {.cached = R"({"id":4,"name":"orders","numPartitions":8,"numCachedPartitions":6,"storageLevel":"Memory Deserialized 1x Replicated",)"
                 R"("memoryUsed":4096,"diskUsed":12})"});
  const auto& rdd = application.stages.at(0).rdds.at(1);
  EXPECT_EQ(rdd.id, 4);
  EXPECT_EQ(rdd.name, "orders");
  EXPECT_TRUE(rdd.persisted);
  EXPECT_EQ(rdd.partitions, 8);
  EXPECT_EQ(rdd.cached_partitions, 6);
  EXPECT_EQ(rdd.memory_bytes, 4096);
  EXPECT_EQ(rdd.disk_bytes, 12);
  EXPECT_FALSE(application.stages.at(0).rdds.at(0).persisted);
}

TEST(ReadRest, AnApplicationWithoutSqlHasNoExecutions) {
  EXPECT_TRUE(read_small({}).executions.empty());  // the server answers 404
}

TEST(ReadRest, ReadsExecutionsInPagesWithTheirPlans) {
  SmallApplication small;
  for (int id = 0; id < 250; ++id) {
    small.executions.push_back({.id = id, .jobs = id == 249 ? "0" : ""});
  }
  small.executions[7].more =
      R"x(,"nodes":[{"nodeId":2,"nodeName":"Range","metrics":[{"name":"number of output rows","value":"100"}],"desc":"Range (0, 100)"},)x"
      R"x({"nodeId":1,"nodeName":"WholeStageCodegen (1)","metrics":[]},{"nodeId":0,"nodeName":"Exchange","metrics":[]}],)x"
      R"x("edges":[{"fromId":2,"toId":0}],"rootExecutionId":3)x";
  const auto application = read_small(small);
  ASSERT_EQ(application.executions.size(), 250U);
  EXPECT_EQ(application.jobs.at(0).sql_execution, 249);
  EXPECT_EQ(application.stages.at(0).sql_execution, 249);
  const auto& execution = application.executions[7];
  EXPECT_EQ(execution.root_id, 3);
  EXPECT_EQ(execution.description, "count at job.py:1");
  EXPECT_TRUE(execution.ended);
  EXPECT_EQ(execution.started_ms, kRestStart + 800);
  EXPECT_EQ(execution.ended_ms, kRestStart + 2100);
  ASSERT_EQ(execution.plan.size(), 2U);
  EXPECT_EQ(execution.plan[0].name, "Exchange");
  EXPECT_EQ(test::all(execution.plan[0].children), std::vector<std::uint32_t>{1});
  EXPECT_EQ(execution.plan[1].simple_string, "Range (0, 100)");
  EXPECT_TRUE(execution.plan[1].metrics.empty());
}

TEST(ReadRest, AServerThatGivesAllExecutionsWhateverIsAskedForIsUnderstood) {
  SmallApplication small;
  for (int id = 0; id < 100; ++id) {
    small.executions.push_back({.id = id, .jobs = ""});
  }
  auto server = small.server();
  const std::string sql = "/api/v1/applications/app-1/sql?details=true&planDescription=false&offset=";
  const auto first = server.get()(sql + "0&length=100");
  server.answer(sql + "100&length=100", first->body);
  const auto application = read_rest_application(server.get(), "app-1");
  ASSERT_TRUE(application) << application.error().message;
  EXPECT_EQ(application->executions.size(), 100U);
}

TEST(ReadRest, AnEnvironmentThatIsMissingIsNoError) {
  for (const int status : {404, 500}) {
    auto server = SmallApplication{}.server();
    server.answer("/api/v1/applications/app-1/environment", "<html>oh</html>", status, "text/html");
    const auto application = read_rest_application(server.get(), "app-1");
    ASSERT_TRUE(application) << application.error().message;
    EXPECT_TRUE(application->spark_properties.empty());
  }
}

}  // namespace
}  // namespace stagegate
