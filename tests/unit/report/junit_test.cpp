#include <algorithm>
#include <array>
#include <csignal>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <tinyxml2.h>

#include "report/junit_cases.h"
#include "report/report.h"
#include "unit/report/golden.h"
#include "unit/report/samples.h"

namespace stagegate {
namespace {

const JunitCase& case_called(const std::vector<JunitSuite>& suites, const std::string& name) {
  for (const auto& test : suites.back().cases) {
    if (test.name == name) {
      return test;
    }
  }
  throw std::runtime_error("no case " + name);
}

bool has_trouble(const RunResult& result) {
  for (const auto& suite : junit_suites(result)) {
    for (const auto& test : suite.cases) {
      if (test.end == CaseEnd::failure || test.end == CaseEnd::error) {
        return true;
      }
    }
  }
  return false;
}

constexpr std::array kAllStates{VariantState::judged,      VariantState::job_failed,      VariantState::no_evidence,
                                VariantState::no_baseline, VariantState::not_comparable,  VariantState::baseline_broken,
                                VariantState::rule_broken, VariantState::nothing_ran,     VariantState::interrupted,
                                VariantState::not_started, VariantState::not_this_variant};

constexpr std::array kAllFindingStates{FindingState::new_finding, FindingState::worse, FindingState::known, FindingState::suppressed,
                                       FindingState::unjudged};

RunResult run_with(VariantState state, FindingState finding_state, Level level) {
  auto variant = variant_in(state);
  auto finding = skew_finding();
  finding.level = level;
  variant.findings = {judged(finding, finding_state)};
  return run_of({variant});
}

TEST(Junit, HasASuiteForEachVariantAndACaseForEachRule) {
  expect_golden("junit_mixed.xml", render_junit(mixed_run()));
}

TEST(Junit, CarriesUsageErrorsWhereNothingRan) {
  RunResult result;
  result.errors = {"stagegate.toml:3:1: unknown key 'max-ration'; did you mean 'max-ratio'?",
                   "stagegate.toml:9:1: no job is called <revenu>"};
  expect_golden("junit_usage_error.xml", render_junit(result));
}

TEST(Junit, IsNeverWithoutACase) {
  expect_golden("junit_nothing_selected.xml", render_junit(RunResult()));
}

TEST(Junit, OfHostileTextIsWhatAStrictParserReads) {
  expect_golden("junit_hostile.xml", render_junit(hostile_run()));
}

TEST(Junit, HasFailuresOrErrorsExactlyWhereTheExitCodeIsNotZero) {
  for (const auto state : kAllStates) {
    for (const auto finding_state : kAllFindingStates) {
      for (const auto level : {Level::warning, Level::error}) {
        const auto result = run_with(state, finding_state, level);
        EXPECT_EQ(has_trouble(result), exit_code_of(result) != ExitCode::passed)
            << to_string(state) << " " << to_string(finding_state) << " " << to_string(level);
      }
    }
  }
}

TEST(Junit, NamesTheStateAsTypeOfWhatCouldNotBeJudgedAndSkipsItsRules) {
  for (const auto state : kAllStates) {
    if (state == VariantState::judged) {
      continue;
    }
    auto variant = variant_in(state);
    variant.reason = "because";
    const auto suites = junit_suites(run_of({variant}));
    EXPECT_EQ(case_called(suites, "run").end, CaseEnd::error);
    EXPECT_EQ(case_called(suites, "run").type, to_string(state));
    EXPECT_EQ(case_called(suites, "skew").end, CaseEnd::skipped);
    EXPECT_EQ(case_called(suites, "skew").message, "not judged: because");
  }
}

TEST(Junit, ListsTheFindingsOfAFirstRunInTheSkippedCase) {
  const auto suites = junit_suites(run_of({first_run_variant()}));
  const auto& skew = case_called(suites, "skew");
  EXPECT_EQ(skew.end, CaseEnd::skipped);
  EXPECT_NE(skew.body.find("stage 2: join orders, customers"), std::string::npos);
  EXPECT_NE(skew.body.find("stage 0: scan orders"), std::string::npos);
}

TEST(Junit, FailsARuleWhoseFindingsAreKnownAndNew) {
  auto variant = passed_variant("a", "b");
  variant.findings = {accepted(skew_finding(), FindingState::known, 412000), judged(skew_finding(), FindingState::new_finding)};
  EXPECT_EQ(case_called(junit_suites(run_of({variant})), "skew").end, CaseEnd::failure);
}

TEST(Junit, NamesEveryFailingFindingInTheBodyAndTheFirstInTheMessage) {
  auto variant = passed_variant("a", "b");
  auto second = skew_finding();
  second.stage_label = "scan orders";
  variant.findings = {judged(skew_finding(), FindingState::new_finding), judged(second, FindingState::new_finding)};
  const auto suites = junit_suites(run_of({variant}));
  const auto& skew = case_called(suites, "skew");
  EXPECT_TRUE(skew.message.ends_with(" (and 1 more)"));
  EXPECT_NE(skew.body.find("join orders, customers"), std::string::npos);
  EXPECT_NE(skew.body.find("scan orders"), std::string::npos);
  EXPECT_EQ(skew.body.find("Look for the key"), skew.body.rfind("Look for the key"));
}

TEST(Junit, LosesNoFindingOfARuleThatIsNotListed) {
  auto variant = passed_variant("a", "b");
  variant.rules.clear();
  variant.findings = {judged(skew_finding(), FindingState::new_finding)};
  EXPECT_EQ(case_called(junit_suites(run_of({variant})), "skew").end, CaseEnd::failure);
}

TEST(Junit, KeepsNamesUniqueForARuleCalledRun) {
  auto variant = passed_variant("a", "b");
  variant.rules = {"run"};
  EXPECT_EQ(case_called(junit_suites(run_of({variant})), "rule run").end, CaseEnd::passed);
}

TEST(Junit, WithErrorsOnTheWayHasThemBesideTheVariants) {
  auto result = run_of({passed_variant("a", "b")});
  result.errors = {"rules/x.toml:3:1: division by zero"};
  const auto suites = junit_suites(result);
  ASSERT_EQ(suites.size(), 2U);
  EXPECT_EQ(suites.front().name, "stagegate");
  EXPECT_EQ(suites.front().cases.front().type, "usage-error");
}

TEST(Junit, OfAnInterruptBeforeAnythingRanSaysSo) {
  RunResult result;
  result.interrupt_signal = SIGTERM;
  const auto suites = junit_suites(result);
  EXPECT_EQ(suites.back().cases.front().message, "interrupted before anything ran");
  EXPECT_EQ(suites.back().cases.front().type, "terminated");
}

TEST(Junit, LeavesOutTimestampAndPlaceThatAreNotThere) {
  VariantResult variant;
  variant.job = "a";
  variant.variant = "b";
  const auto text = render_junit(run_of({variant}));
  EXPECT_EQ(text.find("timestamp"), std::string::npos);
  EXPECT_EQ(text.find("file="), std::string::npos);
  EXPECT_NE(text.find(R"(time="0.000")"), std::string::npos);
}

// Adds up what the elements below say and holds it against the attributes.
void expect_true_counts(const tinyxml2::XMLElement& suite) {
  int tests = 0;
  int failures = 0;
  int errors = 0;
  int skipped = 0;
  for (const auto* test = suite.FirstChildElement("testcase"); test != nullptr; test = test->NextSiblingElement("testcase")) {
    ++tests;
    failures += test->FirstChildElement("failure") != nullptr ? 1 : 0;
    errors += test->FirstChildElement("error") != nullptr ? 1 : 0;
    skipped += test->FirstChildElement("skipped") != nullptr ? 1 : 0;
  }
  EXPECT_EQ(suite.IntAttribute("tests"), tests);
  EXPECT_EQ(suite.IntAttribute("failures"), failures);
  EXPECT_EQ(suite.IntAttribute("errors"), errors);
  EXPECT_EQ(suite.IntAttribute("skipped"), skipped);
}

TEST(Junit, CountsWhatItHolds) {
  for (const auto& result :
       {mixed_run(), hostile_run(), RunResult(), run_of({first_run_variant(), variant_in(VariantState::interrupted)})}) {
    tinyxml2::XMLDocument document;
    ASSERT_EQ(document.Parse(render_junit(result).c_str()), tinyxml2::XML_SUCCESS);
    for (const auto* suite = document.RootElement()->FirstChildElement(); suite != nullptr; suite = suite->NextSiblingElement()) {
      expect_true_counts(*suite);
    }
  }
}

TEST(Junit, KeepsALongAttributeShortAndInOneLine) {
  auto variant = passed_variant("a", "b");
  variant.owner = "begin\n" + std::string(300'000, 'x');
  const auto text = render_junit(run_of({variant}));
  EXPECT_LT(text.size(), 3'000U);
  EXPECT_NE(text.find(R"(value="begin xx)"), std::string::npos);
}

TEST(Junit, CutsALongTextInTheMiddle) {
  auto variant = failed_variant();
  variant.detail = "begin " + std::string(300'000, 'x') + " end";
  const auto text = render_junit(run_of({variant}));
  EXPECT_LT(text.size(), 70'000U);
  EXPECT_NE(text.find("begin xx"), std::string::npos);
  EXPECT_NE(text.find(" bytes cut ..."), std::string::npos);
  EXPECT_NE(text.find("xx end"), std::string::npos);
}

}  // namespace
}  // namespace stagegate
