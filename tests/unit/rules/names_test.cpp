#include "rules/names.h"

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/run_sums.h"
#include "rules/text_names.h"

namespace stagegate {
namespace {

double value(const std::string& name, const Subject& subject, RuleScope scope = RuleScope::stage) {
  const auto* info = find_name(scope, name);
  EXPECT_NE(info, nullptr) << name;
  return info == nullptr ? -1 : value_of(*info, subject);
}

Stage some_stage() {
  Stage stage;
  stage.tasks = 4;
  stage.failed = 1;
  stage.killed = 2;
  stage.attempts = 3;
  stage.cores = 8;
  stage.metrics[index_of(Metric::shuffle_read_bytes)] = distribution_of({1, 2, 3, 10});
  stage.wasted[index_of(Metric::shuffle_read_bytes)] = 7;
  return stage;
}

TEST(Names, AreUniqueInAScope) {
  for (const auto scope : {RuleScope::stage, RuleScope::run}) {
    std::set<std::string> seen;
    for (const auto& info : names_of(scope)) {
      EXPECT_TRUE(seen.insert(info.name).second) << info.name;
    }
  }
}

TEST(Names, TimesAreNone) {
  for (const auto scope : {RuleScope::stage, RuleScope::run}) {
    for (const auto& info : names_of(scope)) {
      EXPECT_EQ(info.name.find("duration"), std::string::npos) << info.name;
    }
  }
}

TEST(Names, OfAStageHaveItsValues) {
  const auto stage = some_stage();
  const Subject subject{.stage = &stage};
  EXPECT_EQ(value("shuffle_read.min", subject), 1);
  EXPECT_EQ(value("shuffle_read.p25", subject), 1.75);
  EXPECT_EQ(value("shuffle_read.median", subject), 2.5);
  EXPECT_EQ(value("shuffle_read.p75", subject), 4.75);
  EXPECT_EQ(value("shuffle_read.max", subject), 10);
  EXPECT_EQ(value("shuffle_read.sum", subject), 16);
  EXPECT_EQ(value("wasted.shuffle_read", subject), 7);
  EXPECT_EQ(value("tasks", subject), 4);
  EXPECT_EQ(value("failed", subject), 1);
  EXPECT_EQ(value("killed", subject), 2);
  EXPECT_EQ(value("attempts", subject), 3);
  EXPECT_EQ(value("cores", subject), 8);
}

TEST(Names, WhatIsMissingIsUnknownAndNotZero) {
  auto stage = some_stage();
  stage.cores.reset();
  const Subject subject{.stage = &stage};
  for (const auto* name :
       {"input.sum", "input.max", "output.median", "wasted.input", "cores", "baseline.shuffle_write.sum", "baseline.tasks"}) {
    EXPECT_TRUE(std::isnan(value(name, subject))) << name;
  }
}

TEST(Names, OfTheBaselineComeFromTheAcceptedStage) {
  const auto stage = some_stage();
  BaselineStage accepted;
  accepted.tasks = 5;
  accepted.totals[index_of(Metric::shuffle_write_bytes)] = 99;
  const Subject subject{.stage = &stage, .accepted = &accepted};
  EXPECT_EQ(value("baseline.tasks", subject), 5);
  EXPECT_EQ(value("baseline.shuffle_write.sum", subject), 99);
  EXPECT_TRUE(std::isnan(value("baseline.output.sum", subject)));
}

TEST(Names, WhatNoBaselineKeepsIsNoName) {
  EXPECT_EQ(find_name(RuleScope::stage, "baseline.input.sum"), nullptr);
  EXPECT_EQ(find_name(RuleScope::stage, "baseline.disk_spill.sum"), nullptr);
  EXPECT_NE(find_name(RuleScope::stage, "baseline.input_records.sum"), nullptr);
}

TEST(Names, OfARunAreSums) {
  const std::vector<Stage> stages{some_stage(), some_stage(), Stage{}};
  const auto sums = sums_of(stages);
  const Subject subject{.stage = &sums, .stages = 3};
  EXPECT_EQ(value("shuffle_read.sum", subject, RuleScope::run), 32);
  EXPECT_EQ(value("wasted.shuffle_read", subject, RuleScope::run), 14);
  EXPECT_EQ(value("tasks", subject, RuleScope::run), 8);
  EXPECT_EQ(value("failed", subject, RuleScope::run), 2);
  EXPECT_EQ(value("attempts", subject, RuleScope::run), 6);
  EXPECT_EQ(value("stages", subject, RuleScope::run), 3);
  EXPECT_TRUE(std::isnan(value("input.sum", subject, RuleScope::run)));
  EXPECT_EQ(find_name(RuleScope::run, "shuffle_read.max"), nullptr);
  EXPECT_EQ(find_name(RuleScope::run, "cores"), nullptr);
}

// A stage with counts of its plan.
Stage planned_stage(std::int64_t broadcast_joins, std::int64_t cache_reads) {
  auto stage = some_stage();
  stage.plan.counts[index_of(PlanCount::broadcast_joins)] = broadcast_joins;
  stage.plan.counts[index_of(PlanCount::cache_reads)] = cache_reads;
  return stage;
}

TEST(Names, OfThePlanAreCountsOfTheStageAndSumsOfTheRun) {
  const std::vector<Stage> stages{planned_stage(1, 2), planned_stage(3, 0), some_stage()};
  const auto sums = sums_of(stages);
  const Subject subject{.stage = &stages[0], .run = &sums};
  EXPECT_EQ(value("broadcast_joins", subject), 1);
  EXPECT_EQ(value("cache_reads", subject), 2);
  EXPECT_EQ(value("run.broadcast_joins", subject), 4);
  EXPECT_EQ(value("run.cache_reads", subject), 2);
  EXPECT_EQ(value("run.shuffle_read.sum", subject), 48);
  EXPECT_TRUE(std::isnan(value("shuffled_joins", subject)));
  EXPECT_TRUE(std::isnan(value("run.shuffled_joins", subject)));
  EXPECT_TRUE(std::isnan(value("run.output.sum", subject)));
  EXPECT_EQ(value("broadcast_joins", {.stage = &sums}, RuleScope::run), 4);
}

TEST(Names, AStageIsNewOnlyToAnAcceptedRun) {
  const auto stage = some_stage();
  const BaselineStage accepted;
  EXPECT_TRUE(std::isnan(value("is_new", {.stage = &stage})));
  EXPECT_EQ(value("is_new", {.stage = &stage, .accepted_run = &accepted}), 1);
  EXPECT_EQ(value("is_new", {.stage = &stage, .accepted = &accepted, .accepted_run = &accepted}), 0);
}

TEST(Names, OfTheAcceptedRunAreSumsOfItsStages) {
  const auto stage = some_stage();
  std::vector<BaselineStage> kept(2);
  kept[0].totals[index_of(Metric::output_bytes)] = 5;
  kept[1].totals[index_of(Metric::output_bytes)] = 6;
  kept[1].plan[index_of(PlanCount::shuffled_joins)] = 2;
  const auto sums = accepted_sums_of(kept);
  const Subject subject{.stage = &stage, .accepted = &kept[1], .accepted_run = &sums};
  EXPECT_EQ(value("baseline.run.output.sum", subject), 11);
  EXPECT_EQ(value("baseline.run.shuffled_joins", subject), 2);
  EXPECT_EQ(value("baseline.shuffled_joins", subject), 2);
  EXPECT_TRUE(std::isnan(value("baseline.run.cache_reads", subject)));
  EXPECT_TRUE(std::isnan(value("baseline.cache_reads", subject)));
}

TEST(Names, WhatOneRunAloneCanSayIsNotComparedWithABaseline) {
  EXPECT_EQ(find_name(RuleScope::stage, "baseline.unused_caches"), nullptr);
  EXPECT_EQ(find_name(RuleScope::stage, "run.unused_caches"), nullptr);
  EXPECT_NE(find_name(RuleScope::stage, "unused_caches"), nullptr);
}

TEST(Names, ALeftGroupIsUnknownBeforeTheEnd) {
  const Stage sums;
  const RunFacts running;
  const RunFacts ended{.ended = true, .left_group = {}};
  const RunFacts left{.ended = true, .left_group = LeftGroup{"write", 3, "", ""}};
  EXPECT_TRUE(std::isnan(value("left_group_actions", {.stage = &sums}, RuleScope::run)));
  EXPECT_TRUE(std::isnan(value("left_group_actions", {.stage = &sums, .facts = &running}, RuleScope::run)));
  EXPECT_EQ(value("left_group_actions", {.stage = &sums, .facts = &ended}, RuleScope::run), 0);
  EXPECT_EQ(value("left_group_actions", {.stage = &sums, .facts = &left}, RuleScope::run), 3);
  EXPECT_EQ(text_of(TextName::left_group, {.stage = &sums, .facts = &left}), "write");
  EXPECT_EQ(text_of(TextName::left_group, {.stage = &sums, .facts = &ended}), "");
}

TEST(Names, ARunWithoutStagesHasCountsOfZeroAndNoMetric) {
  const auto sums = sums_of(std::vector<Stage>());
  const Subject subject{.stage = &sums, .stages = 0};
  EXPECT_EQ(value("tasks", subject, RuleScope::run), 0);
  EXPECT_EQ(value("stages", subject, RuleScope::run), 0);
  EXPECT_TRUE(std::isnan(value("output.sum", subject, RuleScope::run)));
}

}  // namespace
}  // namespace stagegate
