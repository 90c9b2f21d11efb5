#include "model/plan.h"

#include <optional>

#include <gtest/gtest.h>

#include "support/plans.h"

namespace stagegate {
namespace {

std::vector<PlanNodeDraft> join() {
  return {{.name = "SortMergeJoin",
           .simple_string = "SortMergeJoin [a#1], [b#2], Inner",
           .children = {1, 2},
           .accumulators = {7, 8},
           .metrics = {{1, 2}, {3, 2}},
           .metadata = {}},
          {.name = "Scan parquet",
           .simple_string = "",
           .children = {},
           .accumulators = {9},
           .metrics = {{1, 2}},
           .metadata = {{"Location", "file:/lake/orders"}, {"Format", "Parquet"}}},
          {.name = "", .simple_string = "", .children = {}, .accumulators = {}, .metrics = {}, .metadata = {}}};
}

TEST(Plan, HoldsWhatItWasMadeOf) {
  std::optional drafts = join();
  const auto plan = plan_of(*drafts);
  drafts.reset();
  ASSERT_EQ(plan.size(), 3U);
  EXPECT_EQ(plan[0].name, "SortMergeJoin");
  EXPECT_EQ(plan[0].simple_string, "SortMergeJoin [a#1], [b#2], Inner");
  EXPECT_EQ(test::all(plan[0].children), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(test::all(plan[0].accumulators), (std::vector<std::int64_t>{7, 8}));
  EXPECT_EQ(test::all(plan[0].metrics), (std::vector<PlanMetric>{{1, 2}, {3, 2}}));
  EXPECT_EQ(test::all(plan[1].metadata), (std::vector<PlanMetadata>{{"Format", "Parquet"}, {"Location", "file:/lake/orders"}}));
  EXPECT_EQ(plan[1].metadata_of("Location"), "file:/lake/orders");
  EXPECT_EQ(plan[1].metadata_of("ReadSchema"), "");
  EXPECT_EQ(test::all(plan.accumulators()), (std::vector<std::int64_t>{7, 8, 9}));
  EXPECT_EQ(plan[2].name, "");
  EXPECT_TRUE(plan[2].children.empty());
}

TEST(Plan, OutlivesThePlanThatItWasCopiedFrom) {
  std::optional whole = plan_of(join());
  const Plan scan(std::span(&(*whole)[1], 1));
  const Plan copy = *whole;
  whole.reset();
  ASSERT_EQ(scan.size(), 1U);
  EXPECT_EQ(scan[0].metadata_of("Format"), "Parquet");
  EXPECT_EQ(test::all(scan.accumulators()), (std::vector<std::int64_t>{9}));
  EXPECT_EQ(copy[0].simple_string, "SortMergeJoin [a#1], [b#2], Inner");
}

TEST(Plan, GivesItsMetricsOtherNamesAndLeavesItsCopiesAlone) {
  auto plan = plan_of(join());
  const auto copy = plan;
  const auto renamed = std::move(plan).with_metric_names(std::vector<std::uint16_t>{10, 11, 12});
  EXPECT_EQ(test::all(renamed[0].metrics), (std::vector<PlanMetric>{{11, 12}, {0, 12}})) << "3 is beyond the end";
  EXPECT_EQ(test::all(copy[0].metrics), (std::vector<PlanMetric>{{1, 2}, {3, 2}}));
  const auto again = plan_of(join()).with_metric_names(std::vector<std::uint16_t>{10, 11, 12});
  EXPECT_EQ(test::all(again[1].metrics), (std::vector<PlanMetric>{{11, 12}}));
}

TEST(Plan, MayBeEmpty) {
  const Plan plan(std::span<const PlanNode>{});
  EXPECT_TRUE(plan.empty());
  EXPECT_TRUE(plan.accumulators().empty());
  EXPECT_TRUE(Plan().with_metric_names({}).empty());
}

}  // namespace
}  // namespace stagegate
