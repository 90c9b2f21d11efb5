#include <csignal>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "report/report.h"
#include "unit/report/golden.h"
#include "unit/report/samples.h"

namespace stagegate {
namespace {

std::string last_line(const RunResult& result) {
  auto text = render_summary_text(result, Color::off);
  text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

VariantResult with_finding(VariantResult variant, JudgedFinding finding) {
  variant.findings.push_back(std::move(finding));
  return variant;
}

TEST(SummaryText, HasALineForEachVariantAndTheVerdictLast) {
  expect_golden("summary_mixed.txt", render_summary_text(mixed_run(), Color::off));
}

TEST(SummaryText, PaintsTheVerdict) {
  const auto text = render_summary_text(run_of({passed_variant("a", "b")}), Color::on);
  EXPECT_TRUE(text.ends_with("\x1b[32mPassed: nothing new or worse in 1 variant.\x1b[0m\n"));
}

TEST(SummaryText, ListsEveryLineOfAnError) {
  RunResult result;
  result.errors = {"a.toml:1:1: x\na.toml:2:1: y"};
  EXPECT_TRUE(render_summary_text(result, Color::off).starts_with("error: a.toml:1:1: x\nerror: a.toml:2:1: y\n"));
}

TEST(SummaryText, EndsInTheMeaningOfTheExitCodeAndTheNextCommand) {
  EXPECT_EQ(last_line(run_of({passed_variant("a", "b"), passed_variant("a", "c")})), "Passed: nothing new or worse in 2 variants.");
  const auto warned = with_finding(passed_variant("a", "b"), judged(small_tasks_finding(), FindingState::new_finding));
  EXPECT_EQ(last_line(run_of({warned})), "Passed: nothing new or worse in 1 variant (1 warning).");

  const auto failed = with_finding(passed_variant("a", "b"), judged(skew_finding(), FindingState::new_finding));
  EXPECT_EQ(last_line(run_of({failed})),
            "Failed (exit code 1): 1 finding is new or worse; if it is meant: stagegate baseline accept --job a --variant b");
  auto strict = failed;
  strict.baseline_file.clear();
  EXPECT_EQ(last_line(run_of({strict})), "Failed (exit code 1): 1 finding is new or worse; what the rule wants: stagegate explain skew");

  EXPECT_EQ(last_line(run_of({variant_in(VariantState::rule_broken)})),
            "Usage error (exit code 2): mend the rule or baseline file of 1 variant, then: stagegate run --job sessions --variant default");
  RunResult usage;
  usage.errors = {"stagegate.toml:1:1: x"};
  EXPECT_EQ(last_line(usage), "Usage error (exit code 2): mend the error above, then check: stagegate validate");

  EXPECT_EQ(last_line(run_of({failed_variant(), passed_variant("a", "b")})),
            "Not judged (exit code 3): 1 of 2 variants failed or left no whole evidence (output in stagegate-out/runs/sessions/default/1); "
            "again: stagegate run --job sessions --variant default");

  EXPECT_EQ(last_line(RunResult()), "Nothing to check (exit code 4): no job was selected; see what there is: stagegate list");
  EXPECT_EQ(
      last_line(run_of({variant_in(VariantState::nothing_ran)})),
      "Nothing to check (exit code 4): no stage ran in 1 variant; see what its jobs do: stagegate list --job sessions --variant default");

  EXPECT_EQ(last_line(run_of({first_run_variant()})),
            "Not compared (exit code 5): 1 variant without a baseline; to take this result as the baseline: "
            "stagegate baseline accept --job revenue --variant adaptive");
  EXPECT_EQ(
      last_line(run_of({first_run_variant(), variant_in(VariantState::not_comparable)})),
      "Not compared (exit code 5): 1 variant without a baseline, 1 variant under other conditions than the baseline's; "
      "to take this result as the baseline: stagegate baseline accept --job revenue --job sessions --variant adaptive --variant default");

  auto unwritten = run_of({passed_variant("a", "b")});
  unwritten.output_failed = true;
  EXPECT_EQ(last_line(unwritten), "Passed, but a report could not be written (exit code 74): see above, then: stagegate run");
}

TEST(SummaryText, OfAnInterruptNamesWhatIsLeft) {
  auto result = run_of({passed_variant("a", "b"), variant_in(VariantState::interrupted)});
  result.interrupt_signal = SIGINT;
  EXPECT_EQ(last_line(result),
            "Interrupted (exit code 130): 1 of 2 variants did not end; the rest: stagegate run --job sessions --variant default");
  result.interrupt_signal = SIGTERM;
  EXPECT_TRUE(last_line(result).starts_with("Interrupted (exit code 143)"));
}

}  // namespace
}  // namespace stagegate
