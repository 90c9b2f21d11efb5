#include <chrono>
#include <csignal>
#include <string>

#include <gtest/gtest.h>

#include "run/run_jobs.h"
#include "support/temporary_folder.h"

namespace stagegate {
namespace {

using namespace std::chrono_literals;

JobRun ended(RunEnd end) {
  JobRun run;
  run.end = end;
  run.duration_ms = 32'000;
  return run;
}

TEST(DescribeEnd, SaysHowARunEnded) {
  auto exited = ended(RunEnd::exited);
  exited.exit_status = 3;
  EXPECT_EQ(describe_end(exited, 0ms), "exited with status 3 after 32.0 s");
  auto killed = ended(RunEnd::signalled);
  killed.signal = SIGKILL;
  EXPECT_EQ(describe_end(killed, 0ms), "was killed by signal 9 (SIGKILL) after 32.0 s");
  EXPECT_EQ(describe_end(ended(RunEnd::timed_out), 15min), "did not end within 15 min and was stopped");
  EXPECT_EQ(describe_end(ended(RunEnd::timed_out), 90s), "did not end within 90 s and was stopped");
  EXPECT_EQ(describe_end(ended(RunEnd::timed_out), 2h), "did not end within 2 h and was stopped");
  EXPECT_EQ(describe_end(ended(RunEnd::interrupted), 0ms), "was stopped after 32.0 s because stagegate was interrupted");
  JobRun none;
  EXPECT_EQ(describe_end(none, 0ms), "was not started");
  none.problem = "no Spark was found";
  EXPECT_EQ(describe_end(none, 0ms), "was not started: no Spark was found");
}

class DescribeOutput : public testing::Test {
 protected:
  std::string describe(std::size_t max_lines = 10) {
    JobRun run;
    run.run_dir = folder.path();
    return describe_output(run, max_lines);
  }

  test::TemporaryFolder folder;
};

TEST_F(DescribeOutput, ShowsErrorsBeforeOutput) {
  folder.write("stderr.txt", "bad\n");
  folder.write("stdout.txt", "good\n");
  EXPECT_EQ(describe(), "bad");
}

TEST_F(DescribeOutput, ShowsTheOutputWhereTheErrorsAreNoise) {
  folder.write("stderr.txt", "26/11/29 17:45:13 INFO SparkContext: Running\n");
  folder.write("stdout.txt", "no rows\n");
  EXPECT_EQ(describe(), "no rows");
}

TEST_F(DescribeOutput, ShowsNoiseWhereThereIsNothingElse) {
  folder.write("stderr.txt", "26/11/29 17:45:13 INFO A: a\n26/11/29 17:45:14 INFO B: b\n");
  folder.write("stdout.txt", "\n");
  EXPECT_EQ(describe(1), "26/11/29 17:45:14 INFO B: b");
}

TEST_F(DescribeOutput, IsEmptyWhereThereIsNothing) {
  EXPECT_EQ(describe(), "");
  EXPECT_EQ(describe_output({}, 10), "");
}

TEST_F(DescribeOutput, IsCleanForTerminalsAndXml) {
  folder.write("stderr.txt", "\x1B[31mred\x1B[0m\r\n\x01\xFF\n");
  EXPECT_EQ(describe(), "red\n#x1\xEF\xBF\xBD");
}

TEST_F(DescribeOutput, ReadsTheEndOfALargeFile) {
  std::string text;
  for (int i = 0; i < 300'000; ++i) {
    text += "line " + std::to_string(i) + "\n";
  }
  folder.write("stderr.txt", text);
  EXPECT_EQ(describe(2), "line 299998\nline 299999");
}

}  // namespace
}  // namespace stagegate
