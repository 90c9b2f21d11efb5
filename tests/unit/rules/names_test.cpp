#include "rules/names.h"

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

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

TEST(Names, ARunWithoutStagesHasCountsOfZeroAndNoMetric) {
  const auto sums = sums_of({});
  const Subject subject{.stage = &sums, .stages = 0};
  EXPECT_EQ(value("tasks", subject, RuleScope::run), 0);
  EXPECT_EQ(value("stages", subject, RuleScope::run), 0);
  EXPECT_TRUE(std::isnan(value("output.sum", subject, RuleScope::run)));
}

}  // namespace
}  // namespace stagegate
