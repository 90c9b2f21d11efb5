#include "run/find_evidence.h"

#include <chrono>
#include <string>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace stagegate {
namespace {

std::string log_of(const std::string& id, const std::string& name, const std::string& marker) {
  return "{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"4.3.0\"}\n"
         "{\"Event\":\"SparkListenerEnvironmentUpdate\",\"JVM Information\":{},\"Spark Properties\":{\"spark.stagegate.run\":\"" +
         marker +
         "\"},\"Hadoop Properties\":{},\"System Properties\":{},\"Classpath Entries\":{}}\n"
         "{\"Event\":\"SparkListenerApplicationStart\",\"App Name\":\"" +
         name + "\",\"App ID\":\"" + id +
         "\",\"Timestamp\":1,\"User\":\"u\"}\n"
         "{\"Event\":\"SparkListenerApplicationEnd\",\"Timestamp\":2}\n";
}

class ReadEvidence : public testing::Test {
 protected:
  Result<Application> read() {
    EXPECT_TRUE(make_folders(folder.at("eventlog")));
    JobRun run;
    run.run_dir = folder.path();
    run.marker = "mine";
    return read_evidence(run, place);
  }
  std::string error() {
    const auto application = read();
    EXPECT_TRUE(application || application.error().kind == ErrorKind::evidence);
    return application ? "(no error)" : application.error().message;
  }
  bool error_says(const std::string& part) {
    const auto message = error();
    return message.find(part) != std::string::npos || (ADD_FAILURE() << message, false);
  }

  void keep_logs_in(const std::string& name) {
    place.log_dir = folder.at(name);
    place.log_dir_is_here = true;
    place.wait = std::chrono::milliseconds(0);
  }

  test::TemporaryFolder folder;
  EvidencePlace place;
};

TEST_F(ReadEvidence, ReadsTheOneLogOfTheRun) {
  folder.write("eventlog/local-1", log_of("local-1", "revenue", "mine"));
  folder.write("eventlog/.local-1.crc", "x");
  const auto application = read();
  ASSERT_TRUE(application) << application.error().message;
  EXPECT_EQ(application->id, "local-1");
  EXPECT_TRUE(application->evidence.complete());
}

TEST_F(ReadEvidence, ReadsALogThatWasNotClosedAsIncomplete) {
  folder.write("eventlog/local-1.inprogress", log_of("local-1", "revenue", "mine"));
  const auto application = read();
  ASSERT_TRUE(application) << application.error().message;
  EXPECT_FALSE(application->evidence.complete());
}

TEST_F(ReadEvidence, ReadsARollingFolderWhereTheJobInsistsOnOne) {
  folder.write("eventlog/eventlog_v2_local-1/events_1_local-1", log_of("local-1", "revenue", "mine"));
  folder.write("eventlog/eventlog_v2_local-1/appstatus_local-1", "");
  const auto application = read();
  ASSERT_TRUE(application) << application.error().message;
  EXPECT_EQ(application->name, "revenue");
}

TEST_F(ReadEvidence, SaysWhyThereMayBeNone) {
  EXPECT_TRUE(error_says("the run left no event log in " + folder.at("eventlog")));
  EXPECT_TRUE(error_says("spark.eventLog.enabled"));
  EXPECT_TRUE(error_says("SparkContext"));
}

TEST_F(ReadEvidence, NamesSeveralApplications) {
  folder.write("eventlog/local-1", log_of("local-1", "load", "mine"));
  folder.write("eventlog/local-2", log_of("local-2", "revenue", "mine"));
  folder.write("eventlog/local-3", "no event");
  EXPECT_TRUE(error_says("3 event logs"));
  EXPECT_TRUE(error_says("local-1 'load', local-2 'revenue', local-3. A job is one Spark application"));
}

TEST_F(ReadEvidence, CountsTheRestOfVeryManyApplications) {
  for (int i = 1; i <= 6; ++i) {
    const auto id = "local-" + std::to_string(i);
    folder.write("eventlog/" + id, log_of(id, "a", "mine"));
  }
  EXPECT_TRUE(error_says("local-4 'a', 2 more. "));
}

TEST_F(ReadEvidence, RefusesTheLogOfAnotherRun) {
  folder.write("eventlog/local-1", log_of("local-1", "revenue", "yesterday's"));
  EXPECT_TRUE(error_says("local-1 is the log of another run"));
}

TEST_F(ReadEvidence, RefusesALogWithoutAnyEvent) {
  folder.write("eventlog/local-1", "");
  EXPECT_FALSE(read());
}

TEST_F(ReadEvidence, FindsTheLogOfTheRunInAFolderThatManyShare) {
  folder.write("shared/app-1", log_of("app-1", "theirs", "yesterday's"));
  folder.write("shared/eventlog_v2_app-2/events_1_app-2", log_of("app-2", "revenue", "mine"));
  folder.write("shared/eventlog_v2_app-2/appstatus_app-2", "");
  folder.write("shared/app-3.zstd", "not a log at all");
  folder.write("shared/notes.txt", "");
  keep_logs_in("shared");
  const auto application = read();
  ASSERT_TRUE(application) << application.error().message;
  EXPECT_EQ(application->id, "app-2");
  EXPECT_TRUE(application->evidence.complete());
}

TEST_F(ReadEvidence, SaysWhatMayBeWrongWhereASharedFolderHasNoLogOfTheRun) {
  folder.write("shared/app-1", log_of("app-1", "theirs", "yesterday's"));
  keep_logs_in("shared");
  EXPECT_TRUE(error_says("no event log in " + folder.at("shared") + " carries the spark.stagegate.run of this run"));
  EXPECT_TRUE(error_says("[evidence] wait"));
  place.log_dir = folder.at("nowhere");
  EXPECT_TRUE(error_says("nowhere"));
}

TEST_F(ReadEvidence, NamesSeveralApplicationsOfTheRunInASharedFolder) {
  folder.write("shared/app-1", log_of("app-1", "load", "mine"));
  folder.write("shared/app-2", log_of("app-2", "revenue", "mine"));
  keep_logs_in("shared");
  EXPECT_TRUE(error_says("2 event logs"));
}

TEST(WaitForEvidence, LooksAgainUntilTheApplicationHasEnded) {
  int looks = 0;
  const auto application = wait_for_evidence(std::chrono::minutes(1), [&]() -> Result<Application> {
    ++looks;
    if (looks == 1) {
      return fail(ErrorKind::evidence, "not there yet");
    }
    Application found;
    found.end_ms = 7;
    return found;
  });
  EXPECT_TRUE(application);
  EXPECT_EQ(looks, 2);
}

TEST(WaitForEvidence, GivesWhatThereIsWhenItsPatienceIsOver) {
  const auto running = wait_for_evidence(std::chrono::milliseconds(0), [] { return Result<Application>(Application()); });
  EXPECT_TRUE(running && !running->end_ms);
  EXPECT_FALSE(wait_for_evidence(std::chrono::milliseconds(0), []() -> Result<Application> { return fail(ErrorKind::evidence, "none"); }));
}

}  // namespace
}  // namespace stagegate
