#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "report/report.h"
#include "unit/report/golden.h"
#include "unit/report/samples.h"

namespace stagegate {
namespace {

std::string table_of(const Application& application, const std::vector<Finding>& findings = {}, const StageTableOptions& options = {}) {
  return render_stage_table(application, revenue_stages(), findings, options);
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

StageAttempt plain_attempt(std::int32_t id, const std::string& description) {
  StageAttempt attempt;
  attempt.id = id;
  attempt.name = "count";
  attempt.description = description;
  attempt.status = StageStatus::complete;
  return attempt;
}

TEST(StageTable, SortedByANumberIsFlatLargestFirstAndMissingLast) {
  const StageTableOptions options{.sort = StageSort::shuffle_read, .filter = StageFilter::all};
  expect_golden("stage_table_by_shuffle_read.txt", table_of(revenue_application(), {}, options));
}

TEST(StageTable, EverySortKeepsEveryLine) {
  const auto lines_of = [](StageSort sort) {
    const auto text = table_of(revenue_application(), {}, {.sort = sort});
    return std::count(text.begin(), text.end(), '\n');
  };
  for (const auto sort :
       {StageSort::tasks, StageSort::shuffle_read, StageSort::shuffle_write, StageSort::median_time, StageSort::slowest_time}) {
    EXPECT_EQ(lines_of(sort), 7);  // the headings of the columns, five attempts, a reason
  }
}

TEST(StageTable, LeavesOutColumnsForSpillFailuresAndFlagsWhereThereAreNone) {
  Application application;
  application.stages = {plain_attempt(0, "daily")};
  EXPECT_EQ(table_of(application),
            "stage  tasks  shuffle read  shuffle write  median time  slowest  what\n"
            "daily\n"
            "    0      0             -              -            -        -  scan orders\n");
}

TEST(StageTable, KeepsTheStagesOfOneHeadingTogether) {
  Application application;
  application.stages = {plain_attempt(10, "a"), plain_attempt(11, "b"), plain_attempt(12, "a")};
  EXPECT_EQ(table_of(application),
            "stage  tasks  shuffle read  shuffle write  median time  slowest  what\n"
            "a\n"
            "   10      0             -              -            -        -  count\n"
            "   12      0             -              -            -        -  count\n"
            "b\n"
            "   11      0             -              -            -        -  count\n");
}

TEST(StageTable, LeavesOutSkippedAndPendingStagesUnlessAsked) {
  EXPECT_FALSE(has(table_of(revenue_application()), "skipped"));
  EXPECT_TRUE(has(table_of(revenue_application(), {}, {.filter = StageFilter::all}), "skipped"));
}

TEST(StageTable, ShowsAFindingAtTheLastAttemptOnly) {
  const auto text = table_of(revenue_application(), {skew_finding()});
  EXPECT_EQ(text.find("skew 412x"), text.rfind("skew 412x"));
  EXPECT_GT(text.find("skew 412x"), text.find("  2.1  "));
}

TEST(StageTable, ColoursErrorsRedWarningsYellowAcceptedOnesPlainAndMissingDim) {
  auto known = skew_finding();
  known.rule = "known-one";
  known.level = Level::off;
  const auto text = table_of(revenue_application(), {skew_finding(), small_tasks_finding(), known}, {.color = Color::on});
  EXPECT_TRUE(has(text, "\x1b[31mskew 412x\x1b[0m, known-one 412x"));
  EXPECT_TRUE(has(text, "\x1b[33msmall-tasks 16\x1b[0m"));
  EXPECT_TRUE(has(text, "\x1b[2m-\x1b[0m"));
  EXPECT_TRUE(has(text, "\x1b[1mrevenue by country\x1b[0m"));
}

TEST(StageTable, LinesUpTheSameWithAndWithoutColour) {
  const std::vector<Finding> findings{skew_finding(), small_tasks_finding()};
  auto text = table_of(revenue_application(), findings, {.color = Color::on});
  for (const std::string escape : {"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[33m"}) {
    for (auto at = text.find(escape); at != std::string::npos; at = text.find(escape)) {
      text.erase(at, escape.size());
    }
  }
  EXPECT_EQ(text, table_of(revenue_application(), findings));
}

TEST(StageTable, SaysThatNoStageRan) {
  EXPECT_EQ(table_of(Application(), {}, {.indent = 2}), "  no stage ran\n");
}

}  // namespace
}  // namespace stagegate
