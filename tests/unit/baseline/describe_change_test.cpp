#include "baseline/describe_change.h"

#include <utility>

#include <gtest/gtest.h>

#include "unit/baseline/baselines.h"

namespace stagegate {
namespace {

TEST(DescribeChange, OfEqualBaselinesIsNothing) {
  EXPECT_EQ(describe_change(test::revenue_baseline(), test::revenue_baseline()), "");
}

TEST(DescribeChange, CountsFindingsStagesAndConditions) {
  const auto old = test::revenue_baseline();
  auto now = old;
  now.findings[0].value_thousandths = 1;  // one is not what it was: the old one went, a new one came
  now.findings.push_back({.rule = "skew", .stage_label = "a", .stage_fingerprint = "b", .value_thousandths = 1, .unit = ValueUnit::ratio});
  now.stages.pop_back();
  now.conditions.cores = 8;
  EXPECT_EQ(describe_change(old, now),
            "2 findings added or changed, 1 finding removed or changed, 1 stage removed or changed, conditions changed");
}

TEST(DescribeChange, AnotherOrderOfTheActionsAndAnotherSchemaAreNamed) {
  const auto old = test::revenue_baseline();
  auto now = old;
  std::swap(now.actions[0], now.actions[1]);
  EXPECT_EQ(describe_change(old, now), "order of actions changed");
  now = old;
  now.schema = 1;
  now.actions.clear();
  EXPECT_EQ(describe_change(now, old), "schema 2 in place of 1");
}

TEST(DescribeChange, OfANewOneSaysWhatIsKept) {
  EXPECT_EQ(describe_new(test::revenue_baseline()), "new: 2 stages kept, 2 findings accepted");
}

}  // namespace
}  // namespace stagegate
