#include "model/verdict.h"

#include <csignal>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

VariantResult variant_in(VariantState state) {
  VariantResult variant;
  variant.state = state;
  return variant;
}

VariantResult variant_with(FindingState state, Level level) {
  auto variant = variant_in(VariantState::judged);
  JudgedFinding finding;
  finding.state = state;
  finding.finding.level = level;
  variant.findings.push_back(finding);
  return variant;
}

ExitCode code_of(std::vector<VariantResult> variants) {
  RunResult result;
  result.variants = std::move(variants);
  return exit_code_of(result);
}

TEST(ExitCodes, AreThoseOfTheDocumentedTable) {
  EXPECT_EQ(code_of({variant_in(VariantState::judged)}), ExitCode::passed);
  EXPECT_EQ(code_of({variant_with(FindingState::new_finding, Level::error)}), ExitCode::regressed);
  EXPECT_EQ(code_of({variant_with(FindingState::worse, Level::error)}), ExitCode::regressed);
  EXPECT_EQ(code_of({variant_in(VariantState::baseline_broken)}), ExitCode::usage);
  EXPECT_EQ(code_of({variant_in(VariantState::rule_broken)}), ExitCode::usage);
  EXPECT_EQ(code_of({variant_in(VariantState::job_failed)}), ExitCode::not_judged);
  EXPECT_EQ(code_of({variant_in(VariantState::no_evidence)}), ExitCode::not_judged);
  EXPECT_EQ(code_of({variant_in(VariantState::not_this_variant)}), ExitCode::not_judged);
  EXPECT_EQ(code_of({variant_in(VariantState::not_started)}), ExitCode::not_judged);
  EXPECT_EQ(code_of({}), ExitCode::nothing_to_check);
  EXPECT_EQ(code_of({variant_in(VariantState::nothing_ran)}), ExitCode::nothing_to_check);
  EXPECT_EQ(code_of({variant_in(VariantState::no_baseline)}), ExitCode::baseline_trouble);
  EXPECT_EQ(code_of({variant_in(VariantState::not_comparable)}), ExitCode::baseline_trouble);
}

TEST(ExitCodes, NeverFailForWarningsOrWhatIsKnown) {
  EXPECT_EQ(code_of({variant_with(FindingState::new_finding, Level::warning)}), ExitCode::passed);
  EXPECT_EQ(code_of({variant_with(FindingState::known, Level::error)}), ExitCode::passed);
  EXPECT_EQ(code_of({variant_with(FindingState::suppressed, Level::error)}), ExitCode::passed);
}

TEST(ExitCodes, TakeTheGravestWhereSeveralApply) {
  const std::vector<VariantResult> by_gravity{
      variant_in(VariantState::baseline_broken), variant_with(FindingState::new_finding, Level::error),
      variant_in(VariantState::job_failed),      variant_in(VariantState::no_baseline),
      variant_in(VariantState::nothing_ran),     variant_in(VariantState::judged),
  };
  const std::vector<ExitCode> codes{
      ExitCode::usage, ExitCode::regressed, ExitCode::not_judged, ExitCode::baseline_trouble, ExitCode::nothing_to_check, ExitCode::passed};
  for (std::size_t i = 0; i < by_gravity.size(); ++i) {
    EXPECT_EQ(code_of({by_gravity.begin() + static_cast<std::ptrdiff_t>(i), by_gravity.end()}), codes[i]) << i;
  }
}

TEST(ExitCodes, SayWhenAReportIsMissing) {
  RunResult result;
  result.variants = {variant_in(VariantState::judged)};
  result.output_failed = true;
  EXPECT_EQ(exit_code_of(result), ExitCode::output_failed);
  result.variants = {variant_in(VariantState::no_baseline)};
  EXPECT_EQ(exit_code_of(result), ExitCode::baseline_trouble);
}

TEST(ExitCodes, FollowTheSignalWhereThereWasOne) {
  RunResult result;
  result.variants = {variant_with(FindingState::new_finding, Level::error)};
  result.interrupt_signal = SIGINT;
  EXPECT_EQ(exit_code_of(result), ExitCode::interrupted);
  result.interrupt_signal = SIGTERM;
  EXPECT_EQ(exit_code_of(result), ExitCode::terminated);
}

TEST(ExitCodes, FollowTheKindOfAnEarlyEnd) {
  RunResult result;
  result.errors = {"no job fits"};
  result.ended_early = ErrorKind::nothing;
  EXPECT_EQ(exit_code_of(result), ExitCode::nothing_to_check);
  result.ended_early = ErrorKind::usage;
  EXPECT_EQ(exit_code_of(result), ExitCode::usage);
}

}  // namespace
}  // namespace stagegate
