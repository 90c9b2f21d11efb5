#include "identity/plan_index.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unit/identity/applications.h"

namespace stagegate {
namespace {

std::vector<std::string> names_of(const PlanPart& part) {
  std::vector<std::string> names;
  for (const auto& node : part.nodes) {
    names.emplace_back(node.node().name);
  }
  return names;
}

using Names = std::vector<std::string>;
using Accumulators = std::vector<std::int64_t>;

Application one_plan(const std::vector<PlanNodeDraft>& plan) {
  Application application;
  application.executions.emplace_back();
  auto& execution = application.executions.back();
  execution.plan = plan_of(plan);
  // A stage that has updated all of them.
  application.stages.emplace_back().accumulators = test::all(execution.plan.accumulators());
  return application;
}

TEST(PlanIndex, AMapStageRunsWhatLiesBelowItsExchange) {
  const auto application = test::revenue_job();
  const auto part = PlanIndex(application).part_of(Accumulators{7, 8, 9}, 0, true);
  EXPECT_EQ(names_of(part), (Names{"Scan parquet ", "Filter"}));
  EXPECT_EQ(part.sink, Sink::shuffle);
  ASSERT_TRUE(part.exchange);
  EXPECT_NE(part.exchange->node().simple_string.find("customer_id"), std::string::npos);
}

// It updated three exchanges: two that it read, one that it wrote.
TEST(PlanIndex, AStageBetweenShufflesLeavesOutTheExchangesThatItReads) {
  const auto application = test::revenue_job();
  const auto part = PlanIndex(application).part_of(Accumulators{3, 4, 5, 6, 7, 10, 11}, 0, true);
  EXPECT_EQ(names_of(part), (Names{"Sort", "Sort", "SortMergeJoin", "HashAggregate"}));
  ASSERT_TRUE(part.exchange);
  EXPECT_NE(part.exchange->node().simple_string.find("country"), std::string::npos);
}

TEST(PlanIndex, TheLastStageFeedsTheResult) {
  const auto application = test::revenue_job();
  const auto part = PlanIndex(application).part_of(Accumulators{1, 2, 3}, 0, false);
  EXPECT_EQ(names_of(part), (Names{"HashAggregate", "Execute InsertIntoHadoopFsRelationCommand"}));
  EXPECT_EQ(part.sink, Sink::result);
  EXPECT_FALSE(part.exchange);
}

// A join that let no row through updates no metric, nor does the aggregation above it.
TEST(PlanIndex, NodesAboveAnUpdatedOneRanToo) {
  const auto application = test::revenue_job();
  const auto part = PlanIndex(application).part_of(Accumulators{6, 7, 10, 11}, 0, false);
  EXPECT_EQ(names_of(part), (Names{"Sort", "Sort", "SortMergeJoin", "HashAggregate"}));
  EXPECT_EQ(part.sink, Sink::shuffle);
}

TEST(PlanIndex, KnowsNothingOfStagesOutsideOfPlans) {
  const auto application = test::revenue_job();
  const auto part = PlanIndex(application).part_of(Accumulators{900, 901}, 0, false);
  EXPECT_TRUE(part.nodes.empty());
  EXPECT_FALSE(part.exchange);
}

// Both run the same nodes; only one of them writes.
TEST(PlanIndex, ASampleForASortIsToldFromTheShuffle) {
  std::vector<PlanNodeDraft> plan;
  test::add_node(plan, 0, "Sort", "Sort [a#1 ASC NULLS FIRST], true, 0", {1});
  const auto exchange = test::add_node(plan, 0, "Exchange", "Exchange rangepartitioning(a#1 ASC NULLS FIRST, 12)", {2});
  test::add_scan(plan, exchange, "t", 3);
  const auto application = one_plan(plan);
  EXPECT_EQ(PlanIndex(application).part_of(Accumulators{3}, 0, false).sink, Sink::sample);
  EXPECT_EQ(PlanIndex(application).part_of(Accumulators{2, 3}, 0, true).sink, Sink::shuffle);
}

// repartition(3) of what another shuffle brings: the stage has no node but exchanges.
TEST(PlanIndex, AStageThatPassesAShuffleOnWritesTheUpperExchange) {
  std::vector<PlanNodeDraft> plan;
  test::add_node(plan, 0, "Project", "Project [a#1]", {});
  const auto upper = test::add_node(plan, 0, "Exchange", "Exchange RoundRobinPartitioning(3)", {1});
  const auto lower = test::add_node(plan, upper, "Exchange", "Exchange hashpartitioning(a#1, 5)", {2});
  test::add_scan(plan, lower, "t", 3);
  const auto application = one_plan(plan);
  const auto part = PlanIndex(application).part_of(Accumulators{1, 2}, 0, true);
  ASSERT_TRUE(part.exchange);
  EXPECT_EQ(part.exchange->index, upper);
  EXPECT_TRUE(part.nodes.empty());
}

// The first half writes the shuffle inside, the second reads it; the filter above runs in the second one.
TEST(PlanIndex, AnOperatorThatShufflesInsideDividesItsPart) {
  std::vector<PlanNodeDraft> plan;
  test::add_node(plan, 0, "BroadcastExchange", "BroadcastExchange Mode", {1});
  const auto filter = test::add_node(plan, 0, "Filter", "Filter isnotnull(a#1)", {2});
  const auto top = test::add_node(plan, filter, "TakeOrderedAndProject", "TakeOrderedAndProject(limit=3, orderBy=[a#1 ASC])", {3, 4});
  test::add_scan(plan, top, "t", 5);
  const auto application = one_plan(plan);
  EXPECT_EQ(names_of(PlanIndex(application).part_of(Accumulators{5}, 0, true)), (Names{"Scan parquet "}));
  const auto second = PlanIndex(application).part_of(Accumulators{2, 4}, 0, false);
  EXPECT_EQ(names_of(second), (Names{"TakeOrderedAndProject", "Filter"}));
  EXPECT_EQ(second.sink, Sink::broadcast);
}

TEST(PlanIndex, FillingACacheIsToldFromReadingIt) {
  std::vector<PlanNodeDraft> plan;
  test::add_node(plan, 0, "HashAggregate", "HashAggregate(keys=[], functions=[count(1)])", {1});
  const auto cache = test::add_node(plan, 0, "InMemoryTableScan", "InMemoryTableScan [a#1]", {2});
  const auto cached = test::add_node(plan, cache, "Filter", "Filter isnotnull(a#1)", {3});
  test::add_scan(plan, cached, "t", 4);
  const auto application = one_plan(plan);
  const PlanIndex index(application);
  EXPECT_EQ(names_of(index.part_of(Accumulators{1, 2}, 0, false)), (Names{"InMemoryTableScan", "HashAggregate"}));
  const auto both = index.part_of(Accumulators{1, 2, 3, 4}, 0, false);
  EXPECT_EQ(names_of(both), (Names{"Scan parquet ", "Filter", "InMemoryTableScan", "HashAggregate"}));
  EXPECT_TRUE(both.fills_cache);
  EXPECT_EQ(index.part_of(Accumulators{3, 4}, 0, false).sink, Sink::cache);
}

TEST(PlanIndex, NodesOfSupersededPlansServeWhereTheFinalOneHasLostThem) {
  auto application = test::revenue_job();
  auto& execution = application.executions.front();
  std::vector<PlanNode> earlier(execution.plan.begin(), execution.plan.end());
  for (auto& node : earlier) {
    node.children = {};
  }
  execution.earlier_nodes = Plan(earlier);
  execution.plan = plan_of(std::vector<PlanNodeDraft>{
      {.name = "EmptyRelation", .simple_string = "EmptyRelation [plan_id=3]", .children = {}, .accumulators = {}, .metadata = {}}});
  const auto part = PlanIndex(application).part_of(Accumulators{7, 8, 9}, 0, true);
  EXPECT_EQ(names_of(part), (Names{"Scan parquet ", "Filter"}));
  ASSERT_TRUE(part.exchange);
  EXPECT_EQ(part.sink, Sink::shuffle);
}

TEST(PlanIndex, ChildrenThatCannotBeAreLeftOut) {
  std::vector<PlanNodeDraft> plan;
  test::add_node(plan, 0, "Filter", "Filter a", {1});
  plan[0].children = {0, 7, 0};
  const auto application = one_plan(plan);
  EXPECT_EQ(names_of(PlanIndex(application).part_of(Accumulators{1}, 0, false)), (Names{"Filter"}));
}

}  // namespace
}  // namespace stagegate
