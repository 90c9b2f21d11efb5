#include "run/log_progress.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace stagegate {
namespace {

const std::string kLog =
    "{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"4.3.0\"}\n"
    "{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":0}\n"
    "\n"
    "{\"Event\":\"SparkListenerTaskEndX\",\"Stage ID\":0}\n"
    "{\"Event\":\"SparkListenerTaskEnd\",\"Info\":\"{\\\"Event\\\":\\\"SparkListenerTaskEnd\\\"\"}\n"
    "{\"Event\":\"SparkListenerStageCompleted\",\"Stage Info\":{}}\n"
    "{\"Event\":\"SparkListenerStageCompleted\"";

TEST(EventCounter, CountsWholeLinesForEveryChunkSize) {
  for (std::size_t size = 1; size <= kLog.size(); ++size) {
    EventCounter counter;
    for (std::size_t at = 0; at < kLog.size(); at += size) {
      counter.add(std::string_view(kLog).substr(at, size));
    }
    EXPECT_EQ(counter.tasks_ended(), 2) << size;
    EXPECT_EQ(counter.stages_completed(), 1) << size;
  }
}

TEST(LogProgress, FollowsALogFromBeforeItIsThereUntilItIsRenamed) {
  const test::TemporaryFolder folder;
  LogProgress progress(folder.path());
  progress.read_more();
  EXPECT_EQ(progress.counter().tasks_ended(), 0);

  const auto in_the_third_line = kLog.find("TaskEndX");
  std::ofstream log(folder.at("local-1.inprogress"));
  log << kLog.substr(0, in_the_third_line) << std::flush;
  progress.read_more();
  EXPECT_EQ(progress.counter().tasks_ended(), 1);

  log << kLog.substr(in_the_third_line) << "}\n" << std::flush;
  std::filesystem::rename(folder.at("local-1.inprogress"), folder.at("local-1"));
  progress.read_more();
  EXPECT_EQ(progress.counter().tasks_ended(), 2);
  EXPECT_EQ(progress.counter().stages_completed(), 2);
}

TEST(LogProgress, LeavesRollingFoldersAndChecksumsAlone) {
  const test::TemporaryFolder folder;
  folder.write(".local-1.crc", kLog);
  folder.write("eventlog_v2_local-1/events_1_local-1", kLog);
  LogProgress progress(folder.path());
  progress.read_more();
  EXPECT_EQ(progress.counter().tasks_ended(), 0);
}

}  // namespace
}  // namespace stagegate
