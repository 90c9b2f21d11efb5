#include "baseline/tighten.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unit/baseline/baselines.h"

namespace stagegate {
namespace {

BaselineFinding entry(const std::string& rule, const std::string& label, const std::string& fingerprint, std::int64_t value) {
  return {.rule = rule, .stage_label = label, .stage_fingerprint = fingerprint, .value_thousandths = value, .unit = ValueUnit::ratio};
}

Baseline with(std::vector<BaselineFinding> findings) {
  auto baseline = test::revenue_baseline();
  baseline.findings = std::move(findings);
  return baseline;
}

std::vector<BaselineFinding> tightened(std::vector<BaselineFinding> accepted, std::vector<BaselineFinding> pending) {
  return tighten(with(std::move(accepted)), with(std::move(pending)), {}).baseline.findings;
}

TEST(Tighten, RemovesWhatIsGone) {
  const auto result =
      tighten(with({entry("skew", "join", "f1", 9000), entry("spill", "join", "f1", 10)}), with({entry("skew", "join", "f1", 9000)}), {});
  EXPECT_EQ(result.baseline.findings, std::vector{entry("skew", "join", "f1", 9000)});
  ASSERT_EQ(result.changes.size(), 1U);
  EXPECT_EQ(result.changes[0].before, entry("spill", "join", "f1", 10));
  EXPECT_FALSE(result.changes[0].now_thousandths);
}

TEST(Tighten, LowersWhatGotBetterAndRaisesNothing) {
  EXPECT_EQ(tightened({entry("skew", "join", "f1", 9000)}, {entry("skew", "join", "f1", 8999)}),
            std::vector{entry("skew", "join", "f1", 8999)});
  EXPECT_EQ(tightened({entry("skew", "join", "f1", 9000)}, {entry("skew", "join", "f1", 9001)}),
            std::vector{entry("skew", "join", "f1", 9000)});
}

TEST(Tighten, AddsNoFinding) {
  EXPECT_TRUE(tightened({}, {entry("skew", "join", "f1", 9000)}).empty());
}

TEST(Tighten, AFindingWhoseStageHasAnotherFingerprintIsKnownByItsLabelAndKeepsItsIdentity) {
  EXPECT_EQ(tightened({entry("skew", "join", "f1", 9000)}, {entry("skew", "join", "f2", 8000)}),
            std::vector{entry("skew", "join", "f1", 8000)});
  EXPECT_TRUE(tightened({entry("skew", "join", "f1", 9000)}, {entry("skew", "join (2)", "f2", 8000)}).empty());
}

TEST(Tighten, AFindingOfTheRunHasNoStage) {
  EXPECT_EQ(tightened({entry("slow", "", "", 9000)}, {entry("slow", "", "", 8000)}), std::vector{entry("slow", "", "", 8000)});
}

TEST(Tighten, LeavesStagesAndConditionsAsTheyAre) {
  const auto accepted = with({entry("skew", "join", "f1", 9000)});
  auto pending = with({});
  pending.stages[0].totals[index_of(Metric::output_bytes)] = 1;
  pending.stages.pop_back();
  pending.conditions.source_records["another scan"] = 7;
  const auto result = tighten(accepted, pending, {}).baseline;
  EXPECT_EQ(result.stages, accepted.stages);
  EXPECT_EQ(result.conditions, accepted.conditions);
}

TEST(Tighten, AValueInAnotherUnitIsNotBetter) {
  auto counted = entry("skew", "join", "f1", 1);
  counted.unit = ValueUnit::count;
  EXPECT_EQ(tightened({entry("skew", "join", "f1", 9000)}, {counted}), std::vector{entry("skew", "join", "f1", 9000)});
}

// Suppressed findings are in no pending file, so that one that is missing there may well be in the run.
TEST(Tighten, WhatASuppressionCoversIsKept) {
  const std::vector<Suppression> suppressions{
      {.rule = "skew", .job = "revenue", .variant = "*", .stage = "jo*", .reason = "r", .until = "2020-01-01", .at = {}}};
  const auto accepted = with({entry("skew", "join", "f1", 9000), entry("skew", "write", "f2", 9000), entry("spill", "join", "f1", 9000)});
  const auto result = tighten(accepted, with({}), suppressions);
  EXPECT_EQ(result.baseline.findings, std::vector{entry("skew", "join", "f1", 9000)});
  EXPECT_EQ(result.kept, std::vector{entry("skew", "join", "f1", 9000)});
  EXPECT_EQ(result.changes.size(), 2U);
}

TEST(Tighten, ASuppressionFitsTheLabelThatTheStageHasNow) {
  const std::vector<Suppression> suppressions{
      {.rule = "skew", .job = "*", .variant = "*", .stage = "read parquet*", .reason = "r", .until = {}, .at = {}}};
  const auto accepted = with({entry("skew", "an old label", "0d1635b65af14290", 9000)});
  EXPECT_EQ(tighten(accepted, with({}), suppressions).baseline.findings, accepted.findings);
}

TEST(Tighten, TwiceIsOnce) {
  const auto accepted = with({entry("skew", "join", "f1", 9000), entry("spill", "join", "f1", 10)});
  const auto pending = with({entry("skew", "join", "f1", 8000)});
  const auto once = tighten(accepted, pending, {}).baseline;
  const auto twice = tighten(once, pending, {});
  EXPECT_EQ(twice.baseline, once);
  EXPECT_TRUE(twice.changes.empty());
}

TEST(Tighten, AFindingFollowsItsStageAndKeepsItsIdentity) {
  StageLinks links;
  links.add({.label = "join", .fingerprint = "f1"}, {.label = "join > sort", .fingerprint = "f7"}, LinkedWork::changed);
  const auto result = tighten(with({entry("skew", "join", "f1", 9000)}), with({entry("skew", "join > sort", "f7", 7000)}), {}, links);
  EXPECT_EQ(result.baseline.findings, std::vector{entry("skew", "join", "f1", 7000)});
}

}  // namespace
}  // namespace stagegate
