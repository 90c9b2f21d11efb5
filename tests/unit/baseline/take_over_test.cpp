#include "baseline/take_over.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unit/baseline/baselines.h"

namespace stagegate {
namespace {

BaselineFinding found(const std::string& rule, const std::string& label, const std::string& fingerprint, std::int64_t value) {
  return {.rule = rule, .stage_label = label, .stage_fingerprint = fingerprint, .value_thousandths = value, .unit = ValueUnit::ratio};
}

Baseline holding(std::vector<BaselineFinding> findings) {
  auto baseline = test::revenue_baseline();
  baseline.findings = std::move(findings);
  return baseline;
}

const auto kSkewOfJoin = found("skew", "join orders", "f1", 9000);
const auto kSkewOfSort = found("skew", "sort", "f2", 7000);
const auto kSpillOfJoin = found("spill", "join orders", "f1", 10);

TEST(TakeOver, TakesTheFindingsOfARule) {
  const auto taken = take_over(holding({}), holding({kSkewOfJoin, kSkewOfSort, kSpillOfJoin}), {.rules = {"sk*"}, .stages = {}});
  EXPECT_EQ(taken.baseline.findings, (std::vector{kSkewOfJoin, kSkewOfSort}));
  EXPECT_EQ(taken.fitting, 2U);
}

TEST(TakeOver, TakesTheFindingsAtAStage) {
  const auto taken = take_over(holding({}), holding({kSkewOfJoin, kSkewOfSort, kSpillOfJoin}), {.rules = {}, .stages = {"join *"}});
  EXPECT_EQ(taken.baseline.findings, (std::vector{kSkewOfJoin, kSpillOfJoin}));
}

TEST(TakeOver, RuleAndStageMustBothFit) {
  const auto taken =
      take_over(holding({}), holding({kSkewOfJoin, kSkewOfSort, kSpillOfJoin}), {.rules = {"skew"}, .stages = {"join *", "x"}});
  EXPECT_EQ(taken.baseline.findings, std::vector{kSkewOfJoin});
}

TEST(TakeOver, AChangedFindingTakesThePlaceOfTheAcceptedOne) {
  const auto now = found("skew", "join orders and more", "f1", 12000);
  EXPECT_EQ(take_over(holding({kSkewOfJoin}), holding({now}), {.rules = {"skew"}, .stages = {}}).baseline.findings, std::vector{now});
}

TEST(TakeOver, WhatIsNotMeantStaysAlsoWhereItIsGone) {
  auto pending = holding({found("skew", "join orders", "f1", 12000)});
  pending.stages.clear();
  pending.conditions.source_records["another"] = 1;
  const auto accepted = holding({kSkewOfJoin, kSkewOfSort, kSpillOfJoin});
  const auto taken = take_over(accepted, pending, {.rules = {"spill"}, .stages = {}});
  EXPECT_EQ(taken.baseline, accepted);
  EXPECT_EQ(taken.fitting, 0U);
}

// The finding of label "join orders" is the accepted one by its fingerprint; the other one must not be taken for it because it alone is
// meant.
TEST(TakeOver, TheChoiceDoesNotChangeWhichFindingIsWhich) {
  const auto renamed = found("skew", "join (2)", "f1", 8000);
  const auto other = found("skew", "join orders", "f9", 5500);
  const auto taken = take_over(holding({kSkewOfJoin}), holding({renamed, other}), {.rules = {}, .stages = {"join orders"}});
  EXPECT_EQ(taken.baseline.findings, (std::vector{kSkewOfJoin, other}));
}

// The baseline's stages stay as they were accepted, so what is taken over must name one of them.
TEST(TakeOver, AFindingIsKeptAtTheStageAsTheBaselineCallsIt) {
  StageLinks links;
  links.add({.label = "join orders", .fingerprint = "f1"}, {.label = "join orders > sort", .fingerprint = "f7"}, LinkedWork::changed);
  const auto worse = found("skew", "join orders > sort", "f7", 12000);
  const auto spill = found("spill", "join orders > sort", "f7", 10);
  const auto taken = take_over(holding({kSkewOfJoin}), holding({worse, spill}), {.rules = {}, .stages = {"*sort"}}, links);
  EXPECT_EQ(taken.baseline.findings, (std::vector{found("skew", "join orders", "f1", 12000), kSpillOfJoin}));
}

}  // namespace
}  // namespace stagegate
