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
