// What a server has forgotten of an application is a problem of its evidence.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/ingest/rest_answers.h"

namespace stagegate {
namespace {

using Texts = std::vector<std::string>;

std::string message_of(const Application& application) {
  return application.evidence.problems.size() == 1 ? application.evidence.problems[0].message : "(not one problem)";
}

TEST(RestRetention, TasksThatAreFewerThanTheServerCountedAreMissing) {
  const auto application = read_small({.stages = {{.tasks = 3, .rows = {{.id = 2, .index = 1}, {.id = 3, .index = 2}}, .succeeded = 3}}});
  EXPECT_EQ(codes_of(application), Texts{"tasks-missing"});
  EXPECT_EQ(message_of(application), "the server has forgotten task ends of 1 stage attempt (stage 0.0 has 2 of 3): sums are too small");
  EXPECT_EQ(application.evidence.problems[0].advice,
            "read the event log instead, or let the server keep more tasks (spark.ui.retainedTasks)");
}

TEST(RestRetention, ACompleteStageHasAWinnerForEachPartition) {
  const auto application = read_small({.stages = {{.tasks = 2}}});
  EXPECT_EQ(message_of(application), "1 stage completed, but the server lacks task ends (stage 0 has 1 of 2): sums are too small");
}

TEST(RestRetention, AStageOfAJobThatIsNotThereIsMissing) {
  const auto application = read_small({.stages = {{.id = 1}}, .jobs = {{.stages = "0, 1"}}});
  EXPECT_EQ(codes_of(application), Texts{"retention"});
  EXPECT_EQ(message_of(application),
            "the server lacks 1 stage that there must have been: it keeps the newest only, or Spark dropped their events; what they did is "
            "missing");
}

// Skipped stages are the first that a server drops, and they have nothing to say.
TEST(RestRetention, AStageThatWasSkippedIsNotMissed) {
  const auto application = read_small({.stages = {{.id = 2}}, .jobs = {{.stages = "0, 1, 2", .skipped = 2}}});
  EXPECT_TRUE(application.evidence.complete());
  ASSERT_EQ(application.stages.size(), 3U);
  EXPECT_EQ(application.stages[0].status, StageStatus::skipped);
  EXPECT_EQ(application.jobs.at(0).stages, (std::vector<std::int64_t>{0, 1, 2}));
}

TEST(RestRetention, SkippedStagesThatAreThereDoNotExcuseOthers) {
  const auto application =
      read_small({.stages = {{.id = 1, .status = "SKIPPED", .rows = {}}, {.id = 2}}, .jobs = {{.stages = "0, 1, 2", .skipped = 1}}});
  EXPECT_EQ(codes_of(application), Texts{"retention"});
}

TEST(RestRetention, JobsThatWentWithTheirStagesLeaveAGapInTheNumbers) {
  const auto application = read_small({.stages = {{.id = 7}}, .jobs = {{.id = 3, .stages = "7"}}});
  EXPECT_EQ(
      message_of(application),
      "the server lacks 3 jobs, 7 stages that there must have been: it keeps the newest only, or Spark dropped their events; what they "
      "did is missing");
}

TEST(RestRetention, AStageWithoutItsJobIsOfAJobThatWasForgotten) {
  const auto application = read_small({.stages = {{.id = 0}, {.id = 1, .rows = {{.id = 1}}}}, .jobs = {{.id = 1, .stages = "1"}}});
  EXPECT_EQ(codes_of(application), Texts{"retention"});
  EXPECT_NE(message_of(application).find("lacks 1 job that"), std::string::npos) << message_of(application);
}

// Before Spark 3.0 a job over nothing takes a number and has no event.
TEST(RestRetention, AGapInTheNumbersOfJobsAloneIsNone) {
  EXPECT_TRUE(read_small({.jobs = {{.id = 4, .stages = "0"}}}).evidence.complete());
}

TEST(RestRetention, AJobThatHasBegunSinceTheStagesWereAskedForIsNotMissed) {
  const auto application = read_small({.jobs = {{}, {.id = 1, .status = "RUNNING", .stages = "1, 2"}}, .running = true});
  EXPECT_EQ(codes_of(application), Texts{"log-in-progress"});
  EXPECT_EQ(application.stages.size(), 3U);
  EXPECT_EQ(application.stages[2].status, StageStatus::pending);
}

TEST(RestRetention, AStageThatGoesWhileItIsReadIsAProblemAndNoError) {
  for (const auto* const words : {"unknown stage: 0", "unknown attempt for stage 0.  Found attempts: [1]"}) {
    auto server = SmallApplication{.jobs = {{.status = "RUNNING"}}, .running = true}.server();
    server.answer("/api/v1/applications/app-1/stages/0/0/taskList?offset=0&length=1000", words, 404, "text/plain");
    const auto application = read_rest_application(server.get(), "app-1");
    ASSERT_TRUE(application) << application.error().message;
    EXPECT_EQ(codes_of(*application), (Texts{"log-in-progress", "tasks-missing", "retention"}));
  }
}

SmallApplication with_executions(int first, int count, const std::string& properties) {
  SmallApplication small{.properties = properties};
  for (int id = first; id < first + count; ++id) {
    small.executions.push_back({.id = id, .jobs = ""});
  }
  return small;
}

TEST(RestRetention, ExecutionsAreMissedWhereAServerHasAsManyAsItKeeps) {
  const std::string limit = R"(["spark.sql.ui.retainedExecutions","10"])";
  EXPECT_EQ(codes_of(read_small(with_executions(3, 9, limit))), Texts{"retention"});
  EXPECT_EQ(codes_of(read_small(with_executions(3, 8, limit))), Texts{});
  EXPECT_EQ(codes_of(read_small(with_executions(0, 9, limit))), Texts{});
  EXPECT_EQ(codes_of(read_small(with_executions(3, 9, ""))), Texts{});  // of a second context in one JVM
  EXPECT_EQ(codes_of(read_small(with_executions(3, 900, ""))), Texts{"retention"});
}

TEST(RestRetention, AJobWithoutAnEndInAnApplicationThatEndedWasDroppedBySpark) {
  const auto application = read_small({.jobs = {{.status = "UNKNOWN"}}});
  EXPECT_EQ(codes_of(application), Texts{"events-dropped"});
  EXPECT_EQ(message_of(application),
            "events are missing (1 end of a job): Spark dropped them because its queue was full "
            "(spark.scheduler.listenerbus.eventqueue.capacity)");
}

}  // namespace
}  // namespace stagegate
