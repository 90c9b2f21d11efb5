#include "baseline/judge.h"

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

Finding finding_of(const std::string& rule, const std::string& label, const std::string& fingerprint, std::int64_t value,
                   std::int64_t tolerance = 100) {
  Finding finding;
  finding.rule = rule;
  finding.stage_label = label;
  finding.stage_fingerprint = fingerprint;
  finding.value_thousandths = value;
  finding.tolerance_thousandths = tolerance;
  return finding;
}

BaselineFinding accepted_of(const std::string& rule, const std::string& label, const std::string& fingerprint, std::int64_t value) {
  return {.rule = rule, .stage_label = label, .stage_fingerprint = fingerprint, .value_thousandths = value, .unit = ValueUnit::ratio};
}

Baseline baseline_of(std::vector<BaselineFinding> findings) {
  return {.job = "revenue", .variant = "off", .conditions = {}, .findings = std::move(findings), .stages = {}};
}

Judgement judged(const std::vector<Finding>& findings, const Baseline* accepted, BaselineUse use = BaselineUse::on,
                 const std::vector<Suppression>& suppressions = {}, const std::string& today = "2026-11-29") {
  return judge("revenue", "off", findings, {}, accepted, use, suppressions, today);
}

FindingState state_for(std::int64_t accepted, std::int64_t value, std::int64_t tolerance) {
  const auto baseline = baseline_of({accepted_of("skew", "join", "f1", accepted)});
  return judged({finding_of("skew", "join", "f1", value, tolerance)}, &baseline).findings.at(0).state;
}

// 9.4x with a tenth on top is 10.34x.
TEST(Judge, WorseIsWhatLiesBeyondTheTolerance) {
  EXPECT_EQ(state_for(9400, 9400, 100), FindingState::known);
  EXPECT_EQ(state_for(9400, 10339, 100), FindingState::known);
  EXPECT_EQ(state_for(9400, 10340, 100), FindingState::known);
  EXPECT_EQ(state_for(9400, 10341, 100), FindingState::worse);
  EXPECT_EQ(state_for(9400, 1, 100), FindingState::known);
}

TEST(Judge, WithoutToleranceTheLeastBitIsWorse) {
  EXPECT_EQ(state_for(9400, 9400, 0), FindingState::known);
  EXPECT_EQ(state_for(9400, 9401, 0), FindingState::worse);
}

// A tenth of 5 thousandths is half a thousandth, which is no room for a whole one; of 10 it is exactly one.
TEST(Judge, AToleranceIsNeverRounded) {
  EXPECT_EQ(state_for(5, 6, 100), FindingState::worse);
  EXPECT_EQ(state_for(10, 11, 100), FindingState::known);
  EXPECT_EQ(state_for(0, 1, 100), FindingState::worse);
}

TEST(Judge, TheLargestNumbersDoNotOverflow) {
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(state_for(largest, largest, largest), FindingState::known);
  EXPECT_EQ(state_for(largest - 1, largest, 0), FindingState::worse);
  EXPECT_EQ(state_for(1, largest, 1000), FindingState::worse);
  EXPECT_EQ(state_for(std::numeric_limits<std::int64_t>::min(), largest, 0), FindingState::worse);
}

TEST(Judge, AFindingIsKnownByRuleAndFingerprintElseByRuleAndLabel) {
  const auto baseline = baseline_of({accepted_of("skew", "join", "f1", 9400)});
  const auto state = [&](const Finding& finding) { return judged({finding}, &baseline).findings.at(0).state; };
  EXPECT_EQ(state(finding_of("skew", "another label", "f1", 9400)), FindingState::known);
  EXPECT_EQ(state(finding_of("skew", "join", "f2", 9400)), FindingState::known);
  EXPECT_EQ(state(finding_of("skew", "join (2)", "f2", 9400)), FindingState::new_finding);
  EXPECT_EQ(state(finding_of("small-tasks", "join", "f1", 9400)), FindingState::new_finding);
}

TEST(Judge, AnAcceptedFindingStandsForOneFindingOnly) {
  const auto baseline = baseline_of({accepted_of("skew", "join", "f1", 9400)});
  const auto judgement = judged({finding_of("skew", "join", "f2", 9400), finding_of("skew", "join (2)", "f1", 9400)}, &baseline);
  EXPECT_EQ(judgement.findings[0].state, FindingState::new_finding);
  EXPECT_EQ(judgement.findings[1].state, FindingState::known);
}

TEST(Judge, FindingsKeepTheirOrderAndShowWhatWasAccepted) {
  const auto baseline = baseline_of({accepted_of("skew", "b", "f2", 7000)});
  const auto judgement = judged({finding_of("skew", "a", "f1", 6000), finding_of("skew", "b", "f2", 9000)}, &baseline);
  ASSERT_EQ(judgement.findings.size(), 2U);
  EXPECT_EQ(judgement.findings[0].finding.stage_label, "a");
  EXPECT_EQ(judgement.findings[0].state, FindingState::new_finding);
  EXPECT_FALSE(judgement.findings[0].accepted_thousandths);
  EXPECT_EQ(judgement.findings[1].state, FindingState::worse);
  EXPECT_EQ(judgement.findings[1].accepted_thousandths, 7000);
}

TEST(Judge, FindingsOfTheRunAreKnownByTheirRule) {
  const auto baseline = baseline_of({accepted_of("too-many-stages", "", "", 30000)});
  EXPECT_EQ(judged({finding_of("too-many-stages", "", "", 30000)}, &baseline).findings.at(0).state, FindingState::known);
}

// What grew once and was accepted is in the baseline's numbers: growing again is new.
TEST(Judge, AFindingThatComesOfComparingIsNeverKnown) {
  const auto baseline = baseline_of({accepted_of("growth", "join", "f1", 31000)});
  auto finding = finding_of("growth", "join", "f1", 20000);
  finding.compares_with_baseline = true;
  EXPECT_EQ(judged({finding}, &baseline).findings.at(0).state, FindingState::new_finding);
}

TEST(Judge, WhatIsNoLongerFoundIsGone) {
  const auto baseline = baseline_of({accepted_of("skew", "join", "f1", 9400), accepted_of("skew", "window", "f2", 6000)});
  const auto judgement = judged({finding_of("skew", "join", "f1", 9400)}, &baseline);
  ASSERT_EQ(judgement.gone.size(), 1U);
  EXPECT_EQ(judgement.gone[0].rule, "skew");
  EXPECT_EQ(judgement.gone[0].stage_label, "window");
  EXPECT_EQ(judgement.gone[0].accepted_thousandths, 6000);
}

TEST(Judge, AGoneFindingGoesByTheLabelThatItsStageHasNow) {
  const auto baseline = baseline_of({accepted_of("skew", "join", "f1", 9400), accepted_of("skew", "window", "f2", 6000)});
  Stage stage;
  stage.key = {.label = "join (2)", .fingerprint = "f1"};
  const auto judgement = judge("revenue", "off", {}, std::vector{stage}, &baseline, BaselineUse::on, {}, "2026-11-29");
  ASSERT_EQ(judgement.gone.size(), 2U);
  EXPECT_EQ(judgement.gone[0].stage_label, "join (2)");
  EXPECT_EQ(judgement.gone[1].stage_label, "window");
}

TEST(Judge, WithoutABaselineNothingCanBeCalledNew) {
  const auto judgement = judged({finding_of("skew", "join", "f1", 9400)}, nullptr);
  EXPECT_EQ(judgement.findings.at(0).state, FindingState::unjudged);
  EXPECT_TRUE(judgement.gone.empty());
}

TEST(Judge, ATeamThatWantsNoBaselinesFindsEverythingNew) {
  EXPECT_EQ(judged({finding_of("skew", "join", "f1", 9400)}, nullptr, BaselineUse::off).findings.at(0).state, FindingState::new_finding);
  const auto baseline = baseline_of({accepted_of("skew", "join", "f1", 9400), accepted_of("skew", "window", "f2", 6000)});
  const auto judgement = judged({finding_of("skew", "join", "f1", 9400)}, &baseline, BaselineUse::off);
  EXPECT_EQ(judgement.findings.at(0).state, FindingState::new_finding);
  EXPECT_TRUE(judgement.gone.empty());
}

Suppression suppression_of(const std::string& rule, const std::string& stage, std::optional<std::string> until = {}) {
  Suppression suppression;
  suppression.rule = rule;
  suppression.stage = stage;
  suppression.reason = "guest orders, DATA-123";
  suppression.until = std::move(until);
  return suppression;
}

TEST(Judge, ASuppressionFitsByGlobsOnRuleJobVariantAndStage) {
  const auto suppressed = [](Suppression suppression) {
    const auto judgement =
        judged({finding_of("skew", "join customers on id", "f1", 9400)}, nullptr, BaselineUse::off, {std::move(suppression)});
    EXPECT_EQ(judgement.used_suppressions.size(), judgement.findings[0].state == FindingState::suppressed ? 1U : 0U);
    return judgement.findings[0].state == FindingState::suppressed;
  };
  EXPECT_TRUE(suppressed(suppression_of("skew", "*")));
  EXPECT_TRUE(suppressed(suppression_of("s*", "join customers*")));
  EXPECT_FALSE(suppressed(suppression_of("small-tasks", "*")));
  EXPECT_FALSE(suppressed(suppression_of("skew", "join orders*")));
  auto elsewhere = suppression_of("skew", "*");
  elsewhere.job = "rev*";
  EXPECT_TRUE(suppressed(elsewhere));
  elsewhere.job = "orders";
  EXPECT_FALSE(suppressed(elsewhere));
  auto variant = suppression_of("skew", "*");
  variant.variant = "o?f";
  EXPECT_TRUE(suppressed(variant));
  variant.variant = "adaptive-*";
  EXPECT_FALSE(suppressed(variant));
}

TEST(Judge, ASuppressionHoldsUpToAndOnItsLastDay) {
  const auto state = [](const std::string& today) {
    return judged({finding_of("skew", "join", "f1", 9400)}, nullptr, BaselineUse::off, {suppression_of("skew", "*", "2027-03-01")}, today)
        .findings.at(0)
        .state;
  };
  EXPECT_EQ(state("2027-02-28"), FindingState::suppressed);
  EXPECT_EQ(state("2027-03-01"), FindingState::suppressed);
  EXPECT_EQ(state("2027-03-02"), FindingState::new_finding);
}

TEST(Judge, AnExpiredSuppressionIsNotUsed) {
  const auto judgement = judged({finding_of("skew", "join", "f1", 9400)}, nullptr, BaselineUse::off,
                                {suppression_of("skew", "*", "2020-01-01"), suppression_of("skew", "*")});
  EXPECT_EQ(judgement.used_suppressions, (std::vector<std::size_t>{1}));
}

TEST(Judge, SuppressedFindingsAreSoWithAndWithoutABaseline) {
  const auto baseline = baseline_of({accepted_of("skew", "join", "f1", 1000)});
  const std::vector<Finding> findings{finding_of("skew", "join", "f1", 9400)};
  const std::vector<Suppression> suppressions{suppression_of("skew", "*")};
  EXPECT_EQ(judged(findings, nullptr, BaselineUse::on, suppressions).findings[0].state, FindingState::suppressed);
  const auto judgement = judged(findings, &baseline, BaselineUse::on, suppressions);
  EXPECT_EQ(judgement.findings[0].state, FindingState::suppressed);
  EXPECT_EQ(judgement.findings[0].suppression_reason, "guest orders, DATA-123");
  EXPECT_EQ(judgement.findings[0].accepted_thousandths, 1000);
  EXPECT_TRUE(judgement.gone.empty()) << "it is still there";
}

TEST(Judge, OfSeveralSuppressionsTheFirstGivesTheReasonAndAllAreUsed) {
  auto first = suppression_of("skew", "*");
  first.reason = "the first";
  const auto judgement = judged({finding_of("skew", "join", "f1", 9400)}, nullptr, BaselineUse::on,
                                {first, suppression_of("none", "*"), suppression_of("*", "*")});
  EXPECT_EQ(judgement.findings[0].suppression_reason, "the first");
  EXPECT_EQ(judgement.used_suppressions, (std::vector<std::size_t>{0, 2}));
}

// The stage has another fingerprint and another label, and the graph says which it was.
TEST(Judge, AFindingFollowsItsStage) {
  const auto baseline = baseline_of({accepted_of("skew", "join orders", "f1", 9000)});
  StageLinks links;
  links.add({.label = "join orders", .fingerprint = "f1"}, {.label = "join orders > sort", .fingerprint = "f7"}, LinkedWork::changed);
  const auto judgement = judge("revenue", "off", std::vector{finding_of("skew", "join orders > sort", "f7", 9000)}, {}, &baseline,
                               BaselineUse::on, {}, "2026-11-29", links);
  EXPECT_EQ(judgement.findings.at(0).state, FindingState::known);
  EXPECT_EQ(judgement.findings.at(0).accepted_thousandths, 9000);
  EXPECT_TRUE(judgement.gone.empty());
}

// The old join is called something else now, and another stage has come to its name: what the old one was allowed is no pass for it.
TEST(Judge, ALabelThatAnotherStageHasNowIsNoPass) {
  const auto baseline = baseline_of({accepted_of("skew", "join orders", "f1", 9000)});
  StageLinks links;
  links.add({.label = "join orders", .fingerprint = "f1"}, {.label = "join orders (2)", .fingerprint = "f1"}, LinkedWork::same);
  const auto judgement = judge("revenue", "off", std::vector{finding_of("skew", "join orders", "f9", 9000)}, {}, &baseline, BaselineUse::on,
                               {}, "2026-11-29", links);
  EXPECT_EQ(judgement.findings.at(0).state, FindingState::new_finding);
  ASSERT_EQ(judgement.gone.size(), 1U);
  EXPECT_EQ(judgement.gone[0].stage_label, "join orders (2)");
}

}  // namespace
}  // namespace stagegate
