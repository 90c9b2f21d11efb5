// What holds for every log, on a real one of Spark 4.1.1 (adaptive execution, two jobs, a skipped stage).
#include "ingest/read_log.h"

#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "unit/ingest/describe.h"
#include "unit/ingest/memory_source.h"
#include "unit/ingest/spark_lines.h"

namespace stagegate {
namespace {

const std::string& real_log() {
  static const std::string log = [] {
    std::ifstream file(STAGEGATE_TEST_DATA "/logs/local-1795980980229", std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  return log;
}

Result<Application> read_bytes(const std::string& bytes, std::size_t step = std::string::npos) {
  return read_log_file(std::make_unique<MemorySource>(bytes, step), "local-1");
}

std::string truth() {
  return describe(*read_bytes(real_log()));
}

TEST(ReadLog, SaysWhatSparkSaid) {
  const auto application = read_bytes(real_log());
  ASSERT_TRUE(application);
  EXPECT_TRUE(application->evidence.complete());
  EXPECT_EQ(application->evidence.lines->all, 28);
  EXPECT_EQ(application->id, "local-1795980980229");
  EXPECT_EQ(application->name, "bare");
  EXPECT_EQ(application->spark_version, "4.1.1");
  EXPECT_EQ(application->start_ms, 1795980978543);
  EXPECT_EQ(application->end_ms, 1795980990798);
  EXPECT_EQ(application->cores, 2);
  EXPECT_EQ(application->spark_properties.at("spark.sql.shuffle.partitions"), "7");
  ASSERT_EQ(application->executions.size(), 1U);
  EXPECT_TRUE(application->executions[0].ended);
  EXPECT_FALSE(application->executions[0].plan.empty());
}

TEST(ReadLog, HasTheStagesThatSparkRan) {
  const auto application = read_bytes(real_log());
  ASSERT_TRUE(application);
  ASSERT_EQ(application->stages.size(), 3U);
  const auto& map = application->stages[0];
  EXPECT_EQ(map.status, StageStatus::complete);
  EXPECT_EQ(map.tasks.succeeded, 2);
  EXPECT_EQ(map.totals[index_of(Metric::input_records)], 100'000);
  EXPECT_EQ(map.totals[index_of(Metric::shuffle_write_bytes)], 738);
  EXPECT_EQ(map.totals[index_of(Metric::shuffle_write_records)], 20);
  EXPECT_DOUBLE_EQ(map.distributions[index_of(Metric::duration_ms)]->p25.as_double(), 915.25);
  EXPECT_EQ(map.sql_execution, 0);
  EXPECT_EQ(application->stages[1].status, StageStatus::skipped);
  const auto& reduce = application->stages[2];
  EXPECT_EQ(reduce.totals[index_of(Metric::shuffle_read_bytes)], 738);
  EXPECT_EQ(reduce.jobs, std::vector<std::int64_t>{1});
  EXPECT_EQ(reduce.cores, 2);
}

TEST(ReadLog, IsTheSameForEveryStepOfItsSource) {
  for (const std::size_t step : {1U, 2U, 3U, 7U, 64U, 1000U, 4096U, 65'536U, 300'000U}) {
    EXPECT_EQ(describe(*read_bytes(real_log(), step)), truth()) << step;
  }
}

TEST(ReadLog, IsTheSamePlainAndCompressed) {
  EXPECT_EQ(describe(*read_bytes(zstd_frame(real_log()))), truth());
  EXPECT_EQ(describe(*read_bytes(zstd_frames(real_log(), 1000), 5)), truth());
  EXPECT_EQ(describe(*read_bytes(zstd_frames(real_log(), 10'000), 999)), truth());
}

TEST(ReadLog, IsTheSameWithWindowsLineEnds) {
  std::string log;
  for (const char c : real_log()) {
    log += c == '\n' ? "\r\n" : std::string(1, c);
  }
  EXPECT_EQ(describe(*read_bytes(log)), truth());
}

// Cuts at line ends into N parts of about the same size.
MemoryFiles roll(const std::string& log, std::size_t parts) {
  MemoryFiles files{{"appstatus_local-1", ""}};
  std::size_t begin = 0;
  for (std::size_t part = 1; part <= parts; ++part) {
    const auto end = part == parts ? log.size() : log.find('\n', begin + (log.size() - begin) / (parts - part + 1)) + 1;
    const auto bytes = log.substr(begin, end - begin);
    files["events_" + std::to_string(part) + "_local-1"] = part % 2 == 0 ? bytes : zstd_frames(bytes, 777);
    begin = end;
  }
  return files;
}

TEST(ReadLog, IsTheSameSingleAndRolling) {
  for (const std::size_t parts : {1U, 2U, 5U, 12U}) {
    const auto application = read_log_folder(MemoryFolder(roll(real_log(), parts)), "eventlog_v2_local-1");
    ASSERT_TRUE(application);
    EXPECT_EQ(describe(*application), truth()) << parts;
  }
}

// A log that was cut is the truth or says that it is not whole; it is never a smaller truth.
void expect_truth_or_incomplete(const std::string& cut, const std::string& whole_truth) {
  const auto application = read_bytes(cut);
  if (!application) {
    EXPECT_EQ(application.error().kind, ErrorKind::evidence);
    return;
  }
  if (application->evidence.complete()) {
    EXPECT_EQ(describe(*application), whole_truth) << cut.size();
  }
}

TEST(ReadLog, CutAtAnyByteIsTheTruthOrNotWhole) {
  const auto small = log_of_one_stage({.tasks = 2}, {{.index = 0, .partition = 0}, {.index = 1, .partition = 1, .input = 9}});
  const auto small_truth = describe(*read_bytes(small));
  for (std::size_t size = 0; size < small.size(); ++size) {
    expect_truth_or_incomplete(small.substr(0, size), small_truth);
  }
}

TEST(ReadLog, ARealOneCutInItsLast64KiBIsTheTruthOrNotWhole) {
  const auto whole_truth = truth();
  const auto& log = real_log();
  for (std::size_t size = log.size() - 65'536; size < log.size(); size += 97) {
    expect_truth_or_incomplete(log.substr(0, size), whole_truth);
  }
  for (std::size_t size = log.size() - 256; size < log.size(); ++size) {
    expect_truth_or_incomplete(log.substr(0, size), whole_truth);
  }
}

TEST(ReadLog, ACompressedOneCutAtAnyByteIsTheTruthOrNotWhole) {
  const auto whole_truth = truth();
  const auto stored = zstd_frames(real_log(), 8192);
  for (std::size_t size = 0; size < stored.size(); size += 31) {
    expect_truth_or_incomplete(stored.substr(0, size), whole_truth);
  }
}

TEST(ReadLog, ALineTakenOutIsTheTruthOrNotWhole) {
  const auto whole_truth = describe(*read_bytes(real_log()), EvidencePart::without);
  const auto& log = real_log();
  for (std::size_t begin = 0; begin < log.size();) {
    const auto end = log.find('\n', begin) + 1;
    const auto line = log.substr(begin, end - begin);
    const bool counts = line.find("SparkListenerTaskEnd") != std::string::npos || line.find("SparkListenerStage") != std::string::npos ||
                        line.find("SparkListenerJob") != std::string::npos || line.find("SparkListenerApplication") != std::string::npos;
    const auto application = read_bytes(log.substr(0, begin) + log.substr(end));
    ASSERT_TRUE(application);
    EXPECT_EQ(application->evidence.complete(), !counts) << line.substr(0, 100);
    begin = end;
  }
}

TEST(ReadLog, WithoutAnyEventIsAnError) {
  const auto empty = read_bytes("");
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().kind, ErrorKind::evidence);
  EXPECT_EQ(empty.error().message, "'local-1' is empty: it holds no event of a Spark application");
  const auto other = read_bytes("24/01/01 INFO SparkContext\n\nhello\n");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, "'local-1' is not an event log: none of its 3 lines is an event");
}

TEST(ReadLog, ThatCannotBeReadToItsEndIsAnError) {
  const auto log = read_log_file(std::make_unique<FailingSource>(lines({log_start()})), "local-1");
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().message, "the disk is on fire");
}

}  // namespace
}  // namespace stagegate
