#include "model/comparison.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

Stage stage(const std::string& label, std::int64_t shuffle_read, std::int64_t output = 0) {
  Stage result;
  result.key = {label, "f-" + label};
  result.tasks = 4;
  result.metrics[index_of(Metric::shuffle_read_bytes)] = Distribution{};
  result.metrics[index_of(Metric::shuffle_read_bytes)]->sum = shuffle_read;
  result.metrics[index_of(Metric::output_bytes)] = Distribution{};
  result.metrics[index_of(Metric::output_bytes)]->sum = output;
  return result;
}

ComparedRun run(std::vector<Stage> stages, const std::string& version = "4.3.0") {
  ComparedRun result;
  result.spark_version = version;
  result.cores = 4;
  result.stages = std::move(stages);
  return result;
}

Finding finding(const std::string& rule, const std::string& label) {
  Finding result;
  result.rule = rule;
  result.stage_fingerprint = "f-" + label;
  return result;
}

std::string marks(const Comparison& comparison) {
  std::string text;
  for (const auto& row : comparison.rows) {
    text += mark_of(row.change);
  }
  return text;
}

// A hundredth of 1,000,000 bytes is 10,000.
TEST(CompareRuns, CallsAStageHeavierBeyondAHundredthAndAKibibyte) {
  const auto mark = [](std::int64_t before, std::int64_t after) {
    return marks(compare_runs(run({stage("a", before)}), run({stage("a", after)}), std::vector<StageMatch>{{.before = 0, .after = 0}}));
  };
  EXPECT_EQ(mark(1'000'000, 1'010'000), "~");
  EXPECT_EQ(mark(1'000'000, 1'010'001), "+");
  EXPECT_EQ(mark(1'000'000, 990'000), "~");
  EXPECT_EQ(mark(1'000'000, 989'999), "-");
  EXPECT_EQ(mark(10, 1034), "~");
  EXPECT_EQ(mark(10, 1035), "+");
  EXPECT_EQ(mark(0, 0), "~");
}

TEST(CompareRuns, PutsTheLargestChangeFirstAndKeepsStagesOfOneSide) {
  const auto before = run({stage("a", 5000), stage("gone", 70'000)});
  const auto after = run({stage("a", 9000), stage("new", 100'000)});
  const auto comparison = compare_runs(before, after, std::vector<StageMatch>{{.before = 0, .after = 0}});
  EXPECT_EQ(marks(comparison), "xx+");
  EXPECT_FALSE(comparison.rows[0].before);
  EXPECT_FALSE(comparison.rows[1].after);
  EXPECT_EQ(comparison.all_bytes, 184'000);
  EXPECT_EQ(comparison.matched_bytes, 14'000);
  EXPECT_EQ(comparison.coverage_thousandths(), 76);
}

TEST(CompareRuns, NamesFindingsThatCameAndWent) {
  auto before = run({stage("a", 10), stage("b", 10), stage("c", 10)});
  auto after = before;
  before.findings = {finding("skew", "a"), finding("spill", "c")};
  after.findings = {finding("skew", "b"), finding("spill", "c")};
  const std::vector<StageMatch> matches{{.before = 0, .after = 0}, {.before = 1, .after = 1}, {.before = 2, .after = 2}};
  const auto comparison = compare_runs(before, after, matches);
  EXPECT_EQ(marks(comparison), "*!~");
  EXPECT_EQ(comparison.rows[0].gone_findings[0]->rule, "skew");
  EXPECT_EQ(comparison.rows[1].new_findings[0]->rule, "skew");
}

TEST(CompareRuns, LeavesOutputOutAcrossVersions) {
  const std::vector<StageMatch> matches{{.before = 0, .after = 0}};
  const auto upgraded = compare_runs(run({stage("a", 10, 500'000)}, "3.5.9"), run({stage("a", 10, 900'000)}), matches);
  EXPECT_EQ(marks(upgraded), "~");
  EXPECT_EQ(upgraded.differences, std::vector<std::string>{"Spark: 3.5.9 before, 4.3.0 after"});
  const auto patched = compare_runs(run({stage("a", 10, 500'000)}, "4.3.1"), run({stage("a", 10, 900'000)}), matches);
  EXPECT_EQ(marks(patched), "+");
  EXPECT_TRUE(patched.differences.empty());
}

TEST(CompareRuns, SaysWhatIsAmbiguousAndSurvivesAnyNumber) {
  const auto largest = std::numeric_limits<std::int64_t>::max();
  const auto before = run({stage("a", largest, largest)});
  const auto after = run({stage("a", std::numeric_limits<std::int64_t>::min(), -5)});
  EXPECT_EQ(marks(compare_runs(before, after, std::vector<StageMatch>{{.before = 0, .after = 0, .ambiguous = true}})), "?");
  EXPECT_EQ(marks(compare_runs(before, after, std::vector<StageMatch>{{.before = 0, .after = 0}})), "-");
  EXPECT_EQ(marks(compare_runs(run({}), run({}), {})), "");
  EXPECT_EQ(compare_runs(run({}), run({}), {}).coverage_thousandths(), 1000);
}

}  // namespace
}  // namespace stagegate
