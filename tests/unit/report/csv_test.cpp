#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/text.h"
#include "report/csv_writer.h"
#include "report/report.h"
#include "unit/report/golden.h"
#include "unit/report/samples.h"

namespace stagegate {
namespace {

std::string stages_csv(const Application& application, const std::vector<Stage>& stages = {}) {
  std::string text;
  write_stages_csv(application, stages, CsvHeader::written, [&](std::string_view piece) { text += piece; });
  return text;
}

std::string tasks_csv(const Application& application) {
  std::string text;
  write_tasks_csv(application, CsvHeader::written, [&](std::string_view piece) { text += piece; });
  return text;
}

// The cell of a row of which no cell holds a comma.
std::string cell(const std::string& csv, std::size_t row, const std::string& column) {
  const auto lines = split(csv, '\n');
  const auto names = split(lines.at(0), ',');
  const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin());
  return split(lines.at(row), ',').at(at);
}

// One attempt with two tasks that read 1 and 2 bytes of shuffle, and of which nothing else is known.
StageAttempt two_tasks() {
  StageAttempt attempt;
  attempt.id = 7;
  attempt.attempt = 1;
  attempt.name = "count";
  attempt.status = StageStatus::complete;
  attempt.jobs = {3, 4};
  attempt.tasks = {.declared = 2, .succeeded = 2, .failed = 1, .killed = 0, .speculative = 0};
  attempt.winners.partitions = PackedColumn({1, 0});
  attempt.winners.metrics[index_of(Metric::shuffle_read_bytes)] = PackedColumn({2, 1});
  attempt.totals[index_of(Metric::shuffle_read_bytes)] = 3;
  attempt.distributions[index_of(Metric::shuffle_read_bytes)] = distribution_of({1, 2});
  return attempt;
}

Application application_of(StageAttempt attempt) {
  Application application;
  application.stages = {std::move(attempt)};
  return application;
}

TEST(CsvText, IsQuotedOnlyWhereItMustBe) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", ""},
      {"plain text", "plain text"},
      {"a,b", "\"a,b\""},
      {"say \"hi\"", "\"say \"\"hi\"\"\""},
      {"two\nlines\tand a tab", "two lines and a tab"},
      {"esc \x1b[31mred", "esc red"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(csv_text(text), expected) << text;
  }
}

TEST(CsvText, IsNoFormulaWhereverASpreadsheetMayCutIt) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"=1+1", "'=1+1"},
      {"+1", "'+1"},
      {"-1", "'-1"},
      {"@SUM(A1)", "'@SUM(A1)"},
      {"\t=1", "'=1"},
      {"\r\n =1", "'=1"},
      {"a=b-c", "a=b-c"},
      {"a;=1", "a;'=1"},
      {"a; @x", "a; '@x"},
      {"a;\"=1\"", "\"a;\"\"'=1\"\"\""},
      {"=cmd|' /C calc'!A0, x", "\"'=cmd|' /C calc'!A0, x\""},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(csv_text(text), expected) << text;
  }
}

TEST(CsvWriter, WritesQuartersAsDecimals) {
  std::string text;
  const TextSink sink = [&](std::string_view piece) { text += piece; };
  CsvWriter csv(sink);
  for (const std::int64_t quarters : {0, 4, 5, 6, 7, -6}) {
    csv.quarters({quarters});
  }
  csv.end_row();
  csv.finish();
  EXPECT_EQ(text, "0,1,1.25,1.5,1.75,-1.5\n");
}

TEST(StagesCsv, HasARowForEachAttempt) {
  expect_golden("stages.csv", stages_csv(revenue_application(), revenue_stages()));
}

TEST(StagesCsv, LeavesACellEmptyWhereTheNumberIsNotKnown) {
  const auto csv = stages_csv(application_of(two_tasks()));
  EXPECT_EQ(cell(csv, 1, "stage"), "7");
  EXPECT_EQ(cell(csv, 1, "attempt"), "1");
  EXPECT_EQ(cell(csv, 1, "jobs"), "3 4");
  EXPECT_EQ(cell(csv, 1, "tasks_failed"), "1");
  EXPECT_EQ(cell(csv, 1, "tasks_killed"), "0");
  EXPECT_EQ(cell(csv, 1, "shuffle_read_sum"), "3");
  EXPECT_EQ(cell(csv, 1, "shuffle_read_median"), "1.5");
  EXPECT_EQ(cell(csv, 1, "shuffle_read_p25"), "1.25");
  for (const auto* column :
       {"label", "sql_execution", "submitted_ms", "input_sum", "duration_ms_sum", "wasted_shuffle_read", "input_min", "duration_ms_max"}) {
    EXPECT_EQ(cell(csv, 1, column), "") << column;
  }
}

TEST(StagesCsv, IsItsHeaderWhereThereIsNoStage) {
  const auto csv = stages_csv(Application());
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1);
  EXPECT_TRUE(csv.starts_with("application,application_attempt,stage,attempt,name,label,fingerprint,status,failure_reason,"));
}

TEST(TasksCsv, HasARowForEachTaskInTheOrderOfPartitions) {
  auto attempt = two_tasks();
  attempt.winners.task_ids = PackedColumn({11, 12});
  attempt.winners.attempt_numbers = PackedColumn({0, 3});
  attempt.winners.launched_ms = PackedColumn({1000, 1001});
  attempt.winners.places = PackedColumn({1, 0});
  attempt.winners.details[index_of(TaskDetail::gc_time_ms)] = PackedColumn({0, 5});
  auto application = application_of(attempt);
  application.places = {{.executor = "driver", .host = "a"}, {.executor = "=1", .host = "b,c"}};
  const auto lines = split(tasks_csv(application), '\n');
  ASSERT_EQ(lines.size(), 4U);  // a header, two rows, nothing behind the last line feed
  EXPECT_TRUE(lines[1].starts_with(",,7,1,0,12,3,driver,a,1001,,,1,,")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with(",,7,1,1,11,0,'=1,\"b,c\",1000,,,2,,")) << lines[2];
  EXPECT_EQ(cell(tasks_csv(application), 1, "gc_time_ms"), "5");
  EXPECT_EQ(cell(tasks_csv(application), 1, "run_time_ms"), "");
}

TEST(TasksCsv, HasAColumnForEachMetricAndDetail) {
  const auto names = split(split(tasks_csv(Application()), '\n').front(), ',');
  EXPECT_EQ(names.size(), 10 + kMetricCount + kTaskDetailCount);
  EXPECT_EQ(names[10], "input");
  EXPECT_EQ(names.back(), "shuffle_write_time_ns");
}

TEST(TasksCsv, LeavesEmptyWhatTheSourceWasNotAskedFor) {
  const auto csv = tasks_csv(application_of(two_tasks()));
  for (const auto* column : {"task_id", "task_attempt", "executor", "host", "launched_ms", "input", "run_time_ms"}) {
    EXPECT_EQ(cell(csv, 1, column), "") << column;
  }
  EXPECT_EQ(cell(csv, 1, "shuffle_read"), "1");
}

TEST(Csv, OfSeveralApplicationsIsOneTable) {
  auto application = application_of(two_tasks());
  application.id = "app-2";
  application.attempt = "1";
  std::string text;
  const TextSink sink = [&](std::string_view piece) { text += piece; };
  write_stages_csv(application, {}, CsvHeader::left_out, sink);
  EXPECT_TRUE(text.starts_with("app-2,1,7,1,count,")) << text;
  text.clear();
  write_tasks_csv(application, CsvHeader::left_out, sink);
  EXPECT_TRUE(text.starts_with("app-2,1,7,1,0,")) << text;
}

TEST(TasksCsv, LeavesInBlocksOfWholeRows) {
  StageAttempt attempt;
  constexpr std::int64_t kTasks = 20'000;
  for (std::int64_t i = 0; i < kTasks; ++i) {
    attempt.winners.partitions.push_back(i);
  }
  std::size_t pieces = 0;
  std::ptrdiff_t lines = 0;
  write_tasks_csv(application_of(attempt), CsvHeader::written, [&](std::string_view piece) {
    ++pieces;
    lines += std::count(piece.begin(), piece.end(), '\n');
    EXPECT_LT(piece.size(), 70'000U);
    EXPECT_TRUE(piece.ends_with('\n'));
  });
  EXPECT_EQ(lines, kTasks + 1);
  EXPECT_GT(pieces, 10U);
}

}  // namespace
}  // namespace stagegate
