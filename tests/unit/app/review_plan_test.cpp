#include "app/review_plan.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "baseline/baseline_json.h"
#include "unit/app/reviewed.h"

namespace stagegate {
namespace {

using test::found;
using test::holding;
using test::reviewed;

using Answers = std::vector<ReviewAnswer>;

const auto kJoin = found("skew", "join orders", "f1", 9000);
const auto kSort = found("skew", "sort", "f2", 7000);
const auto kSpill = found("spill", "join orders", "f1", 10);

ReviewPlan planned(ReviewedVariant variant, const std::vector<Suppression>& suppressions = {}) {
  return plan_review({std::move(variant)}, test::rules(), suppressions, "2026-11-30");
}

std::vector<ReviewKind> kinds(const ReviewPlan& plan) {
  std::vector<ReviewKind> all;
  for (const auto& item : plan.items) {
    all.push_back(item.kind);
  }
  return all;
}

Answers answering(const std::vector<Answer>& answers) {
  Answers given;
  for (const auto answer : answers) {
    given.push_back({.answer = answer, .reason = answer == Answer::suppress ? "because" : "", .until = {}});
  }
  return given;
}

// The bytes that the answers come to; "" where the file stays.
std::string text_after(const ReviewPlan& plan, const std::vector<Answer>& answers) {
  const auto baseline = reviewed_baseline(plan, answering(answers), 0);
  if (!baseline) {
    return "";
  }
  EXPECT_EQ(*read_baseline(baseline->text, "x.json", "revenue", "adaptive-off"), baseline->baseline);
  return baseline->text;
}

std::vector<BaselineFinding> findings_after(const ReviewPlan& plan, const std::vector<Answer>& answers) {
  const auto baseline = reviewed_baseline(plan, answering(answers), 0);
  return baseline ? baseline->baseline.findings : std::vector<BaselineFinding>();
}

TEST(ReviewPlan, AsksNothingWhereNothingDiffers) {
  EXPECT_TRUE(planned(reviewed(holding({kJoin}), holding({kJoin}))).items.empty());
}

// The rule's tolerance is a tenth: of 9000 that is 900, and exactly there nothing is worse.
TEST(ReviewPlan, AFindingIsWorseOrBetterBeyondItsTolerance) {
  const std::vector<std::pair<std::int64_t, ReviewKind>> values{{9901, ReviewKind::worse},
                                                                {9900, ReviewKind::totals},
                                                                {9001, ReviewKind::totals},
                                                                {8100, ReviewKind::totals},
                                                                {8099, ReviewKind::better}};
  for (const auto& [value, kind] : values) {
    const auto plan = planned(reviewed(holding({kJoin}), holding({found("skew", "join orders", "f1", value)})));
    EXPECT_EQ(kinds(plan), std::vector{kind}) << value;
  }
  const auto without_tolerance = planned(reviewed(holding({kSpill}), holding({found("spill", "join orders", "f1", 11)})));
  EXPECT_EQ(kinds(without_tolerance), std::vector{ReviewKind::worse});
}

TEST(ReviewPlan, AsksWhatFailsFirstThenWhatGotBetterThenTheRest) {
  auto pending = holding({found("skew", "a", "f0", 6000), found("skew", "join orders", "f1", 6000), found("spill", "x", "f9", 1)});
  pending.stages[0].tasks = 201;
  EXPECT_EQ(kinds(planned(reviewed(holding({kJoin, kSort}), pending))),
            (std::vector{ReviewKind::new_finding, ReviewKind::new_finding, ReviewKind::better, ReviewKind::gone, ReviewKind::totals}));
}

TEST(ReviewPlan, AllAcceptedIsTheResultOfTheRunByteForByte) {
  auto pending = holding({found("skew", "join orders", "f1", 12000), found("spill", "x", "f9", 1)});
  pending.stages.pop_back();
  pending.conditions.source_records["another"] = 1;
  auto variant = reviewed(holding({kJoin, kSort}), pending);
  variant.pending_text += "\n";  // bytes that only this file has
  const auto plan = planned(variant);
  EXPECT_EQ(text_after(plan, std::vector(plan.items.size(), Answer::accept)), variant.pending_text);
}

TEST(ReviewPlan, WhatIsNotAcceptedStaysAsItIs) {
  auto pending = holding({found("skew", "join orders", "f1", 12000), found("spill", "x", "f9", 1)});
  pending.stages.pop_back();
  const auto accepted = holding({kJoin, kSort});
  const auto plan = planned(reviewed(accepted, pending));
  ASSERT_EQ(kinds(plan), (std::vector{ReviewKind::worse, ReviewKind::new_finding, ReviewKind::gone, ReviewKind::totals}));
  for (const auto answer : {Answer::open, Answer::reject, Answer::skip, Answer::suppress}) {
    EXPECT_EQ(text_after(plan, std::vector(4, answer)), "");
    const auto one = reviewed_baseline(plan, answering({answer, Answer::accept, answer, answer}), 0);
    ASSERT_TRUE(one);
    EXPECT_EQ(one->baseline.findings, (std::vector{kJoin, kSort, pending.findings[1]}));
    EXPECT_EQ(one->baseline.stages, accepted.stages);
    EXPECT_EQ(findings_after(plan, {Answer::accept, answer, answer, answer}), (std::vector{pending.findings[0], kSort}));
    EXPECT_EQ(findings_after(plan, {answer, answer, Answer::accept, answer}), std::vector{kJoin});
    const auto totals = reviewed_baseline(plan, answering({answer, answer, answer, Answer::accept}), 0);
    EXPECT_EQ(totals->baseline.findings, accepted.findings);
    EXPECT_EQ(totals->baseline.stages, pending.stages);
  }
}

TEST(ReviewPlan, ValuesWithinTheirToleranceGoWithTheTotals) {
  const auto moved = found("skew", "join orders", "f1", 9100);
  const auto fresh = found("spill", "x", "f9", 1);
  const auto plan = planned(reviewed(holding({kJoin}), holding({moved, fresh})));
  ASSERT_EQ(kinds(plan), (std::vector{ReviewKind::new_finding, ReviewKind::totals}));
  EXPECT_EQ(changed_with_totals(plan, 0), (std::vector{std::pair(kJoin, moved)}));
  EXPECT_EQ(findings_after(plan, {Answer::accept, Answer::reject}), (std::vector{kJoin, fresh}));
  EXPECT_EQ(findings_after(plan, {Answer::reject, Answer::accept}), std::vector{moved});
}

// A stage that has another fingerprint and label now, and is linked by its place: findings go by the names of the stages beside them.
TEST(ReviewPlan, FindingsGoByTheNamesOfTheStagesBesideThem) {
  const auto before = test::revenue_baseline().stages[0].key;
  const StageKey now{.label = before.label, .fingerprint = "0123456789abcdef"};
  const auto accepted = holding({found("skew", before.label, before.fingerprint, 9000)});
  auto pending = holding({found("skew", now.label, now.fingerprint, 12000), found("spill", now.label, now.fingerprint, 1)});
  pending.stages[0].key = now;
  pending.actions[1][1] = now.fingerprint;
  const auto plan = planned(reviewed(accepted, pending));
  ASSERT_EQ(kinds(plan), (std::vector{ReviewKind::worse, ReviewKind::new_finding, ReviewKind::totals}));
  EXPECT_EQ(findings_after(plan, {Answer::accept, Answer::accept, Answer::reject}),
            (std::vector{found("skew", before.label, before.fingerprint, 12000), found("spill", before.label, before.fingerprint, 1)}));
  EXPECT_EQ(findings_after(plan, {Answer::reject, Answer::reject, Answer::accept}),
            std::vector{found("skew", now.label, now.fingerprint, 9000)});
  EXPECT_EQ(reviewed_baseline(plan, answering({Answer::accept, Answer::accept, Answer::accept}), 0)->baseline, pending);
}

// Two findings of one rule at stages of one label: --stage could not tell them apart.
TEST(ReviewPlan, OneOfTwoThatLookAlikeCanBeAccepted) {
  const auto first = found("skew", "join", "f1", 6000);
  const auto second = found("skew", "join", "f2", 6000);
  const auto plan = planned(reviewed(holding({}), holding({first, second})));
  EXPECT_EQ(findings_after(plan, {Answer::reject, Answer::accept}), std::vector{second});
  EXPECT_EQ(findings_after(plan, {Answer::accept, Answer::reject}), std::vector{first});
}

// As where findings are judged: by fingerprint first. That the other one alone is accepted changes nothing in that.
TEST(ReviewPlan, TheAnswersDoNotChangeWhichFindingIsWhich) {
  const auto renamed = found("skew", "join (2)", "f1", 12000);
  const auto other = found("skew", "join orders", "f9", 5500);
  const auto plan = planned(reviewed(holding({kJoin}), holding({renamed, other})));
  ASSERT_EQ(kinds(plan), (std::vector{ReviewKind::worse, ReviewKind::new_finding}));
  EXPECT_EQ(findings_after(plan, {Answer::reject, Answer::accept}), (std::vector{kJoin, other}));
  EXPECT_EQ(findings_after(plan, {Answer::accept, Answer::reject}), std::vector{renamed});
}

TEST(ReviewPlan, WithoutABaselineAFindingBringsTheStages) {
  auto variant = reviewed({}, holding({kJoin, kSort}));
  variant.accepted.reset();
  variant.old_text.reset();
  const auto plan = planned(variant);
  ASSERT_EQ(kinds(plan), (std::vector{ReviewKind::new_finding, ReviewKind::new_finding, ReviewKind::new_baseline}));
  const auto answers = answering({Answer::reject, Answer::accept, Answer::open});
  EXPECT_TRUE(is_implied(plan, answers, 2));
  const auto made = reviewed_baseline(plan, answers, 0);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->baseline.findings, std::vector{kSort});
  EXPECT_EQ(made->baseline.stages, variant.pending.stages);
  EXPECT_EQ(made->baseline.conditions, variant.pending.conditions);
  EXPECT_EQ(text_after(plan, {Answer::accept, Answer::accept, Answer::open}), variant.pending_text);
  EXPECT_EQ(text_after(plan, {Answer::reject, Answer::reject, Answer::reject}), "");
  EXPECT_FALSE(is_implied(plan, answering({Answer::reject, Answer::suppress, Answer::open}), 2));
  EXPECT_EQ(reviewed_baseline(plan, answering({Answer::reject, Answer::suppress, Answer::accept}), 0)->baseline.findings,
            std::vector<BaselineFinding>());
}

TEST(ReviewPlan, ABaselineThatTheResultCannotBeHeldAgainstIsReplacedOrKept) {
  auto variant = reviewed({}, holding({kJoin, kSort}));
  variant.accepted.reset();
  variant.old_text = "<<<<<<< HEAD\n";
  variant.differences = {"x.json:1: git left conflict markers"};
  const auto plan = planned(variant);
  ASSERT_EQ(kinds(plan), std::vector{ReviewKind::whole});
  EXPECT_EQ(text_after(plan, {Answer::accept}), variant.pending_text);
  EXPECT_EQ(text_after(plan, {Answer::reject}), "");
}

Suppression suppressing(std::string stage, std::optional<std::string> until = {}) {
  Suppression suppression;
  suppression.rule = "skew";
  suppression.stage = std::move(stage);
  suppression.until = std::move(until);
  return suppression;
}

TEST(ReviewPlan, WhatASuppressionCoversTodayIsNoQuestion) {
  const auto variant = reviewed(holding({}), holding({kJoin, kSort}));
  const auto covered = planned(variant, {suppressing("join*", "2026-11-30")});
  ASSERT_EQ(covered.items.size(), 1U);
  EXPECT_EQ(covered.items[0].now, kSort);
  EXPECT_EQ(findings_after(covered, {Answer::accept}), std::vector{kSort});
  EXPECT_EQ(planned(variant, {suppressing("join*", "2026-11-29")}).items.size(), 2U);
}

TEST(ReviewPlan, WhatASuppressionHidesIsNotCalledGone) {
  const auto plan = planned(reviewed(holding({kJoin, kSort}), holding({})), {suppressing("join*")});
  ASSERT_EQ(kinds(plan), std::vector{ReviewKind::gone});
  EXPECT_EQ(findings_after(plan, {Answer::accept}), std::vector{kJoin});
}

TEST(ReviewPlan, OnlyWhatIsNewOrWorseIsSuppressed) {
  const auto plan = planned(reviewed(holding({kSort}), holding({found("skew", "count(*) by k", "f1", 9000)})));
  ASSERT_EQ(kinds(plan), (std::vector{ReviewKind::new_finding, ReviewKind::gone}));
  auto answers = answering({Answer::suppress, Answer::suppress});
  answers[0].until = "2027-03-01";
  const auto suppressions = reviewed_suppressions(plan, answers);
  ASSERT_EQ(suppressions.size(), 1U);
  EXPECT_EQ(suppressions[0].rule, "skew");
  EXPECT_EQ(suppressions[0].job, "revenue");
  EXPECT_EQ(suppressions[0].variant, "adaptive-off");
  EXPECT_EQ(suppressions[0].stage, "count(?) by k");
  EXPECT_EQ(suppressions[0].reason, "because");
  EXPECT_EQ(suppressions[0].until, "2027-03-01");
}

TEST(ReviewPlan, VariantsDoNotMix) {
  auto other = reviewed(holding({}), holding({kJoin}));
  other.variant = "adaptive";
  const auto plan = plan_review({reviewed(holding({}), holding({kJoin})), other}, test::rules(), {}, "2026-11-30");
  ASSERT_EQ(plan.items.size(), 2U);
  const auto answers = answering({Answer::reject, Answer::accept});
  EXPECT_FALSE(reviewed_baseline(plan, answers, 0));
  EXPECT_EQ(reviewed_baseline(plan, answers, 1)->baseline.findings, std::vector{kJoin});
}

}  // namespace
}  // namespace stagegate
