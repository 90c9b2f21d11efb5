// What a log lacks, by code.
#include "ingest/completeness.h"

#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unit/ingest/spark_lines.h"

namespace stagegate {
namespace {

using Codes = std::vector<std::string>;

Codes codes_of(const std::string& log, const std::string& name = "local-1") {
  Codes codes;
  const auto application = read_text(log, name);
  EXPECT_TRUE(application);
  for (const auto& problem : application->evidence.problems) {
    codes.push_back(problem.code);
    EXPECT_FALSE(problem.message.empty());
    EXPECT_FALSE(problem.advice.empty()) << problem.code;
  }
  return codes;
}

std::string message_of(const std::string& log) {
  const auto application = read_text(log);
  return application && application->evidence.problems.size() == 1 ? application->evidence.problems[0].message : "(not one problem)";
}

TEST(Completeness, OfAWholeLogIsWhole) {
  EXPECT_EQ(codes_of(log_of_one_stage({.tasks = 2}, {{.index = 0}, {.index = 1}})), Codes{});
}

TEST(Completeness, AnApplicationWithoutAnEndWasKilled) {
  EXPECT_EQ(codes_of(lines({log_start(), application_start()})), Codes{"driver-killed"});
}

TEST(Completeness, ALogMarkedAsInProgressIsNotWhole) {
  EXPECT_EQ(codes_of(lines({log_start(), application_start()}), "local-1.inprogress"), Codes{"log-in-progress"});
  EXPECT_EQ(codes_of(lines({log_start(), application_start(), application_end()}), "local-1.inprogress"), Codes{"log-in-progress"});
}

TEST(Completeness, ALogInProgressToWhichNothingIsWrittenIsOfADeadDriver) {
  const auto code_after = [](std::chrono::milliseconds idle) {
    const auto holes = find_holes({}, {}, {.in_progress = true, .idle = idle});
    return holes.size() == 1 ? holes[0].code : "(not one problem)";
  };
  EXPECT_EQ(code_after(std::chrono::minutes(24 * 60) - std::chrono::milliseconds(1)), "log-in-progress");
  EXPECT_EQ(code_after(std::chrono::hours(24)), "driver-killed");
}

TEST(Completeness, ASubmittedStageMustEnd) {
  const auto log = whole_log({{.id = 3, .tasks = 2}}, {stage_submitted({.id = 3, .tasks = 2}), task_end({.stage = 3})});
  EXPECT_EQ(codes_of(log), Codes{"stage-open"});
  EXPECT_EQ(message_of(log), "1 stage was submitted and did not end (3.0 with 1 of 2 tasks): what it did is known in part only");
}

TEST(Completeness, ACompleteStageMustHaveAllItsTasks) {
  const auto log = log_of_one_stage({.tasks = 3}, {{.index = 0}, {.index = 2}});
  EXPECT_EQ(codes_of(log), Codes{"tasks-missing"});
  EXPECT_EQ(message_of(log), "1 stage completed, but the log lacks task ends (stage 0 has 2 of 3): sums are too small");
}

TEST(Completeness, AWinnerThatWasTakenAwayIsMissing) {
  EXPECT_EQ(codes_of(log_of_one_stage({.tasks = 1}, {{.index = 0}, {.index = 0, .reason = "Resubmitted", .has_metrics = false}})),
            Codes{"tasks-missing"});
}

TEST(Completeness, AFailedStageNeedsNoTasks) {
  EXPECT_EQ(codes_of(log_of_one_stage({.tasks = 3, .failure_reason = "cancelled"}, {{.index = 0}})), Codes{});
}

std::string retried(const std::string& version, std::optional<int> partition) {
  const StageLine first{.tasks = 3, .failure_reason = "fetch failed"};
  const StageLine second{.attempt = 1, .tasks = 1};
  return lines({log_start(version), application_start(), job_start(0, {first}), stage_submitted({.tasks = 3}), task_end({.index = 0}),
                task_end({.index = 1}), stage_completed(first), stage_submitted(second),
                task_end({.attempt = 1, .index = 0, .partition = partition}), stage_completed(second), job_end(0), application_end()});
}

TEST(Completeness, AttemptsReachTheDeclaredTasksTogether) {
  EXPECT_EQ(codes_of(retried("3.5.8", 2)), Codes{});
  EXPECT_EQ(codes_of(retried("3.5.8", 1)), Codes{"tasks-missing"});
}

TEST(Completeness, SaysWhyRetriedAttemptsOfOldSparksCannotBePooled) {
  EXPECT_EQ(message_of(retried("3.2.4", std::nullopt)),
            "1 stage completed, but the log lacks task ends (stage 0 has 2 of 3): sums are too small; Spark before 3.3 does not say which "
            "partitions a "
            "retried attempt worked on");
}

TEST(Completeness, EventsThatOthersReferToMustBeThere) {
  const StageLine stage{.tasks = 1};
  const auto without_submission =
      lines({log_start(), application_start(), job_start(0, {stage}), task_end({}), stage_completed(stage), job_end(0), application_end()});
  const auto without_job_start = lines({log_start(), application_start(), job_end(0), application_end()});
  const auto without_job_end = lines({log_start(), application_start(), job_start(0, {}), application_end()});
  const auto without_application_start = lines({log_start(), application_end()});
  for (const auto& log : {without_submission, without_job_start, without_job_end, without_application_start}) {
    EXPECT_EQ(codes_of(log), Codes{"events-dropped"});
  }
  EXPECT_EQ(message_of(without_submission),
            "events are missing (1 submission of a stage): the log was cut, or Spark dropped them because its queue was full "
            "(spark.scheduler.listenerbus.eventqueue.capacity)");
}

TEST(Completeness, EventsThatAreThereTwiceAreNotWhole) {
  const StageLine stage{.tasks = 1};
  const std::vector<std::string> events{
      log_start(), application_start(), job_start(0, {stage}), stage_submitted(stage), task_end({.id = 5}), stage_completed(stage),
      job_end(0),  application_end()};
  for (std::size_t twice = 1; twice < events.size(); ++twice) {
    std::string log;
    for (std::size_t i = 0; i < events.size(); ++i) {
      log += (i == twice ? events[i] + "\n" : "") + events[i] + "\n";
    }
    EXPECT_EQ(codes_of(log), Codes{"events-repeated"}) << events[twice];
    EXPECT_EQ(
        message_of(log),
        "1 event is there twice: a part of the log was read twice, or two applications are in one log, and what they did cannot be told "
        "apart");
  }
}

TEST(Completeness, ATaskThatLosesItsOutputEndsTwice) {
  const StageLine stage{.tasks = 1};
  EXPECT_EQ(codes_of(log_of_one_stage(stage, {{.id = 5}, {.reason = "Resubmitted", .has_metrics = false, .id = 5}, {.id = 6}})), Codes{});
}

TEST(Completeness, EventsInFrontOfWhatTheyFollowFromAreNotWhole) {
  const StageLine stage{.tasks = 1};
  const auto task_first = lines({log_start(), application_start(), job_start(0, {stage}), task_end({}), stage_submitted(stage),
                                 stage_completed(stage), job_end(0), application_end()});
  const auto completion_first = lines({log_start(), application_start(), job_start(0, {stage}), stage_completed(stage),
                                       stage_submitted(stage), task_end({}), job_end(0), application_end()});
  const auto job_end_first = lines({log_start(), application_start(), job_end(0), job_start(0, {}), application_end()});
  const auto application_last = lines({log_start(), job_start(0, {}), job_end(0), application_start(), application_end()});
  for (const auto& log : {task_first, completion_first, job_end_first, application_last}) {
    EXPECT_EQ(codes_of(log), Codes{"events-disordered"});
  }
  EXPECT_EQ(message_of(task_first), "1 event is out of order, in front of what led to that: the parts of the log have wrong names");
}

TEST(Completeness, ABrokenLineIsCountedWithThePlaceOfTheFirst) {
  const auto log = lines({log_start(), application_start(), "{\"Event\":\"SparkListener", "", "nonsense", application_end()});
  const auto application = read_text(log);
  ASSERT_TRUE(application);
  EXPECT_EQ(application->evidence.lines->all, 6);
  EXPECT_EQ(application->evidence.lines->malformed, 2);
  EXPECT_EQ(message_of(log), "2 lines are broken, the first is line 3: what they said is missing");
}

TEST(Completeness, HalfALastLineIsACut) {
  const auto log = lines({log_start(), application_start(), application_end()}) + "{\"Event\":\"SparkLis";
  EXPECT_EQ(codes_of(log), Codes{"stream-cut"});
  EXPECT_EQ(message_of(log), "the log ends in the middle of line 4: what followed is missing");
}

TEST(Completeness, AWholeLastLineNeedsNoLineFeed) {
  auto log = lines({log_start(), application_start(), application_end()});
  log.pop_back();
  EXPECT_EQ(codes_of(log), Codes{});
}

TEST(Completeness, AnEventOfSomebodyElseIsCountedAndNoProblem) {
  const auto log = lines({log_start(), application_start(), R"({"Event":"org.example.Mine"})", application_end()});
  const auto application = read_text(log);
  ASSERT_TRUE(application);
  EXPECT_EQ(application->evidence.lines->unknown_events, 1);
  EXPECT_TRUE(application->evidence.complete());
}

}  // namespace
}  // namespace stagegate
