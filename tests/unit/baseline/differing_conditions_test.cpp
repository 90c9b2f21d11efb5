#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "baseline/judge.h"
#include "unit/baseline/baselines.h"

namespace stagegate {
namespace {

using Lines = std::vector<std::string>;

TEST(DifferingConditions, EqualConditionsAreComparable) {
  EXPECT_EQ(differing_conditions(test::revenue_baseline(), test::revenue_baseline()), Lines{});
}

TEST(DifferingConditions, EachFieldThatDiffersHasALine) {
  auto now = test::revenue_baseline();
  now.conditions.spark = "4.3";
  now.conditions.cores = 8;
  now.conditions.conf = {{"spark.sql.adaptive.enabled", "true"}, {"spark.sql.autoBroadcastJoinThreshold", "-1"}};
  now.conditions.source_records["scan orders > shuffle by id"] = 1000001;
  EXPECT_EQ(differing_conditions(test::revenue_baseline(), now),
            (Lines{
                "spark: 4.1 in the baseline, 4.3 now",
                "cores: 4 in the baseline, 8 now",
                "conf spark.sql.adaptive.enabled: false in the baseline, true now",
                "conf spark.sql.autoBroadcastJoinThreshold: not set in the baseline, -1 now",
                "conf spark.sql.shuffle.partitions: 200 in the baseline, not set now",
                "records read by 'scan orders > shuffle by id': 1,000,000 in the baseline, 1,000,001 now",
            }));
}

TEST(DifferingConditions, WhatIsNotKnownIsSaid) {
  auto now = test::revenue_baseline();
  now.conditions.spark.clear();
  now.conditions.cores.reset();
  now.conditions.conf["spark.sql.shuffle.partitions"] = "";
  EXPECT_EQ(differing_conditions(test::revenue_baseline(), now), (Lines{
                                                                     "spark: 4.1 in the baseline, unknown now",
                                                                     "cores: 4 in the baseline, unknown now",
                                                                     "conf spark.sql.shuffle.partitions: 200 in the baseline, \"\" now",
                                                                 }));
}

// Another scan is a change of the job, which the gate is there to judge.
TEST(DifferingConditions, AScanThatOnlyOneOfThemHasIsNoDifference) {
  auto now = test::revenue_baseline();
  now.conditions.source_records = {{"scan customers > shuffle by id", 50001}, {"scan returns > shuffle by id", 7}};
  EXPECT_EQ(differing_conditions(test::revenue_baseline(), now), Lines{});
}

TEST(DifferingConditions, FindingsAndStagesAreNone) {
  auto now = test::revenue_baseline();
  now.findings.clear();
  now.stages.clear();
  EXPECT_EQ(differing_conditions(test::revenue_baseline(), now), Lines{});
}

TEST(DifferingConditions, AVersionOfSparkIsNoneWhereVersionsMayDiffer) {
  auto accepted = test::revenue_baseline();
  auto current = accepted;
  current.conditions.spark = "3.5";
  EXPECT_EQ(differing_conditions(accepted, current).size(), 1U);
  EXPECT_TRUE(differing_conditions(accepted, current, {}, SparkVersions::may_differ).empty());
  current.conditions.cores = 2;
  EXPECT_EQ(differing_conditions(accepted, current, {}, SparkVersions::may_differ).size(), 1U);
}

TEST(DifferingConditions, RecordsAreThoseOfTheSameScanWhateverItIsCalledNow) {
  auto accepted = test::revenue_baseline();
  auto current = accepted;
  accepted.conditions.source_records = {{"scan orders", 10}};
  current.conditions.source_records = {{"monthly: scan orders", 11}};
  EXPECT_TRUE(differing_conditions(accepted, current).empty());
  StageLinks links;
  links.add({.label = "scan orders", .fingerprint = "f1"}, {.label = "monthly: scan orders", .fingerprint = "f2"}, LinkedWork::same);
  EXPECT_EQ(differing_conditions(accepted, current, links),
            std::vector<std::string>{"records read by 'monthly: scan orders': 10 in the baseline, 11 now"});
  StageLinks changed;
  changed.add({.label = "scan orders", .fingerprint = "f1"}, {.label = "monthly: scan orders", .fingerprint = "f2"}, LinkedWork::changed);
  EXPECT_TRUE(differing_conditions(accepted, current, changed).empty());  // it may read another table
}

}  // namespace
}  // namespace stagegate
