#include <string>

#include <gtest/gtest.h>

#include "report/finding_text.h"
#include "report/report.h"
#include "unit/report/golden.h"
#include "unit/report/samples.h"

namespace stagegate {
namespace {

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(VariantText, GroupsFindingsByWhereTheyStand) {
  expect_golden("variant_regressed.txt", render_variant_text(regressed_variant(), Color::off));
}

TEST(VariantText, OfAFailedJobShowsReasonAndOutput) {
  expect_golden("variant_job_failed.txt", render_variant_text(failed_variant(), Color::off));
}

TEST(VariantText, GivesACiSystemNoCommandsOfTheJob) {
  auto result = failed_variant();
  result.detail = "the end of stderr.txt:\n  ::error file=a.py::planted\n::stop-commands::x\nx ##[error]y ##vso[task.complete]z\na::b\n";
  const auto text = render_variant_text(result, Color::off);
  EXPECT_TRUE(has(text, "  |   ::error file=a.py::planted\n  | ::stop-commands::x\n  x ## [error]y ## vso[task.complete]z\n  a::b\n"))
      << text;
}

TEST(VariantText, OfAFirstRunListsFindingsWithoutCallingThemNew) {
  expect_golden("variant_first_run.txt", render_variant_text(first_run_variant(), Color::off));
}

TEST(VariantText, OfAPassIsOneLineWhereThereIsNothingToShow) {
  EXPECT_EQ(render_variant_text(passed_variant("a", "b"), Color::off), "a / b: passed, no findings (32.1 s)\n");
}

TEST(VariantText, ShowsThatAKnownFindingGotBetter) {
  auto result = passed_variant("a", "b");
  result.findings = {accepted(skew_finding(), FindingState::known, 500000)};
  EXPECT_TRUE(has(render_variant_text(result, Color::off), "  known\n    skew 412x  stage 2: join orders, customers  (500x -> 412x)\n"));
}

VariantResult unstable_variant() {
  auto result = passed_variant("a", "b");
  result.runs = 3;
  UnstableStage stage{.stage_label = "scan orders", .stage_fingerprint = "00000000000000a0", .stage_id = 4, .repeats = {}};
  stage.repeats.runs = stage.repeats.present = 3;
  stage.repeats.totals[index_of(Metric::shuffle_write_records)] = Seen(9988, 10012);
  stage.repeats.totals[index_of(Metric::shuffle_write_bytes)] = Seen(3145728, 3145730);
  stage.repeats.reason = "Filter has rand() without a seed";
  result.unstable.push_back(stage);
  result.unstable.push_back({.stage_label = "count", .stage_fingerprint = "00000000000000a1", .stage_id = -1, .repeats = {}});
  result.unstable.back().repeats.runs = 3;
  result.unstable.back().repeats.present = 2;
  return result;
}

TEST(VariantText, ListsWhatIsNotTheSameInEachRun) {
  EXPECT_EQ(render_variant_text(unstable_variant(), Color::off),
            "a / b: passed, no findings (32.1 s)\n"
            "  unstable: not the same in each of the 3 runs\n"
            "    stage 4: scan orders: shuffle write 3,145,728 B to 3,145,730 B; shuffle write records 9,988 to 10,012\n"
            "      Filter has rand() without a seed\n"
            "    count: only in 2 of 3 runs\n");
}

TEST(VariantText, SaysThatNotAllRunsHadAFinding) {
  auto result = passed_variant("a", "b");
  result.findings = {accepted(skew_finding(), FindingState::known, 412000)};
  result.findings.front().finding.runs = 3;
  result.findings.front().finding.fired_runs = 3;
  EXPECT_TRUE(has(render_variant_text(result, Color::off), "skew 412x  stage 2: join orders, customers\n"));
  result.findings.front().finding.fired_runs = 2;
  EXPECT_TRUE(has(render_variant_text(result, Color::off), "skew 412x  stage 2: join orders, customers (in 2 of 3 runs)\n"));
}

TEST(VariantText, PaintsOnlyWhatFailsRed) {
  const auto text = render_variant_text(regressed_variant(), Color::on);
  EXPECT_TRUE(has(text, "\x1b[31mskew 412x\x1b[0m  stage 2"));
  EXPECT_TRUE(has(text, "\x1b[33msmall-tasks 16\x1b[0m (warning)"));
  EXPECT_TRUE(has(text, "skew 412x\x1b[0m, spill 3 MiB"));
}

TEST(FindingText, ShowsExactNumbersWhereRoundedOnesLookEqual) {
  EXPECT_EQ(change_text(8000, 12000, ValueUnit::ratio), "8x -> 12x");
  EXPECT_EQ(change_text(8040, 8044, ValueUnit::ratio), "8.040x -> 8.044x");
  EXPECT_EQ(change_text(3145728'000, 3145730'000, ValueUnit::bytes), "3,145,728 B -> 3,145,730 B");
  EXPECT_EQ(change_text(5000, 5000, ValueUnit::count), "5 -> 5");
}

TEST(FindingText, SaysWhyAFindingCountsWithoutBaselines) {
  auto result = passed_variant("a", "b");
  result.baseline_file.clear();
  EXPECT_EQ(standing_text(result, judged(skew_finding(), FindingState::new_finding)), "counts as new: no baselines are used");
}

}  // namespace
}  // namespace stagegate
