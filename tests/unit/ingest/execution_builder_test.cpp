#include "ingest/execution_builder.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/plans.h"
#include "unit/ingest/spark_lines.h"

namespace stagegate {
namespace {

PlanNodeDraft node(const std::string& name, std::vector<std::int64_t> accumulators) {
  return {.name = name, .simple_string = name, .children = {}, .accumulators = std::move(accumulators), .metadata = {}};
}

SqlAdaptiveUpdate update(std::int64_t id, const std::vector<PlanNodeDraft>& drafts) {
  auto nodes = plan_of(drafts);
  auto accumulators = accumulators_of(nodes);
  return {.id = id, .plan = {.nodes = std::move(nodes), .metric_names = {}, .accumulators = std::move(accumulators)}};
}

std::vector<std::string> names(const Plan& nodes) {
  std::vector<std::string> all;
  all.reserve(nodes.size());
  for (const auto& entry : nodes) {
    all.emplace_back(entry.name);
  }
  return all;
}

using Names = std::vector<std::string>;

TEST(ExecutionBuilder, KeepsTheLastPlanAndTheNodesThatOnlyEarlierOnesHave) {
  ExecutionBuilder builder;
  SqlExecutionStart start;
  start.id = 1;
  start.plan.nodes = plan_of(std::vector{node("AdaptiveSparkPlan", {}), node("SortMergeJoin", {1}), node("Scan", {2})});
  start.plan.accumulators = accumulators_of(start.plan.nodes);
  builder.add(std::move(start));
  builder.add(update(1, {node("AdaptiveSparkPlan", {}), node("SortMergeJoin", {1}), node("ShuffleQueryStage", {3}), node("Scan", {2})}));
  builder.add(update(1, {node("AdaptiveSparkPlan", {}), node("BroadcastHashJoin", {4}), node("Scan", {2})}));
  const auto executions = builder.finish();
  ASSERT_EQ(executions.size(), 1U);
  EXPECT_EQ(names(executions[0].plan), (Names{"AdaptiveSparkPlan", "BroadcastHashJoin", "Scan"}));
  EXPECT_EQ(names(executions[0].earlier_nodes), (Names{"SortMergeJoin", "ShuffleQueryStage"}));
}

TEST(ExecutionBuilder, PutsMetricsWithoutANodeIntoOne) {
  ExecutionBuilder builder;
  builder.add(update(1, {node("Scan", {2})}));
  builder.add(SqlAdaptiveMetrics{1, {5, 2}});
  builder.add(SqlAdaptiveMetrics{1, {6, 5}});
  const auto executions = builder.finish();
  ASSERT_EQ(executions.size(), 1U);
  ASSERT_EQ(names(executions[0].earlier_nodes), (Names{"Subquery"}));
  EXPECT_EQ(test::all(executions[0].earlier_nodes[0].accumulators), (std::vector<std::int64_t>{5, 6}));
}

TEST(ExecutionBuilder, ReadsAnExecutionFromItsEvents) {
  const auto application = read_text(lines({
      R"({"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart","executionId":3,"rootExecutionId":2,)"
      R"("description":"load","details":"at A","physicalPlanDescription":"== Plan ==","sparkPlanInfo":{"nodeName":"Project","simpleString":)"
      R"("Project [a#1]","children":[{"nodeName":"Scan parquet","simpleString":"FileScan","children":[],"metadata":{"Location":"x"},)"
      R"("metrics":[{"name":"rows","accumulatorId":7,"metricType":"sum"},{"name":"files","accumulatorId":8,"metricType":"sum"}]},)"
      R"({"nodeName":"Other","simpleString":"o","children":[],"metadata":{},"metrics":[]}],"metadata":{},"metrics":[]},)"
      R"("time":55,"modifiedConfigs":{"spark.sql.shuffle.partitions":"7"},"jobTags":[],"jobGroupId":null})",
      R"({"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd","executionId":3,"time":66,"errorMessage":"bad"})",
  }));
  ASSERT_TRUE(application);
  ASSERT_EQ(application->executions.size(), 1U);
  const auto& execution = application->executions[0];
  EXPECT_EQ(execution.id, 3);
  EXPECT_EQ(execution.root_id, 2);
  EXPECT_EQ(execution.description, "load");
  EXPECT_EQ(execution.details, "at A");
  EXPECT_EQ(execution.started_ms, 55);
  EXPECT_EQ(execution.ended_ms, 66);
  EXPECT_EQ(execution.error, "bad");
  EXPECT_TRUE(execution.ended);
  EXPECT_EQ(execution.modified_conf, (std::map<std::string, std::string>{{"spark.sql.shuffle.partitions", "7"}}));
  EXPECT_EQ(names(execution.plan), (Names{"Project", "Scan parquet", "Other"}));
  EXPECT_EQ(test::all(execution.plan[0].children), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(test::all(execution.plan[1].accumulators), (std::vector<std::int64_t>{7, 8}));
  ASSERT_EQ(execution.plan[1].metrics.size(), 2U);
  EXPECT_EQ(application->plan_metric_names[execution.plan[1].metrics[1].name], "files");
  EXPECT_EQ(application->plan_metric_names[execution.plan[1].metrics[1].type], "sum");
  EXPECT_EQ(test::all(execution.plan[1].metadata), (std::vector<PlanMetadata>{{"Location", "x"}}));
}

TEST(ExecutionBuilder, KnowsTheAccumulatorsOfAPlan) {
  using Ids = std::vector<std::int64_t>;
  const auto ids_of = [](std::vector<Ids> nodes) {
    std::vector<PlanNodeDraft> drafts;
    for (auto& ids : nodes) {
      drafts.push_back(node("A", std::move(ids)));
    }
    return accumulators_of(plan_of(drafts));
  };
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(ids_of({}), Ids());
  EXPECT_EQ(ids_of({{}, {}}), Ids());
  EXPECT_EQ(ids_of({{7}}), (Ids{7}));
  EXPECT_EQ(ids_of({{70, 71, 9}, {}, {9, 8, 70}}), (Ids{8, 9, 70, 71}));
  EXPECT_EQ(ids_of({{63, 64, 0}, {127, 128}}), (Ids{0, 63, 64, 127, 128}));
  EXPECT_EQ(ids_of({{5, -5}, {-1}}), (Ids{-5, -1, 5}));
  EXPECT_EQ(ids_of({{1'000'000'000'000, 3}, {3}}), (Ids{3, 1'000'000'000'000})) << "far from each other";
  EXPECT_EQ(ids_of({{kMost, kLeast}, {0, kMost}}), (Ids{kLeast, 0, kMost}));
}

// Spark writes each key once.
TEST(ExecutionBuilder, TakesWhatANodeSaysLast) {
  const auto application = read_text(lines({
      R"({"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart","executionId":3,"sparkPlanInfo":{"nodeName":"A",)"
      R"("nodeName":"B","simpleString":"b","metrics":[{"name":"rows","accumulatorId":7,"metricType":"sum"}],)"
      R"("children":[{"nodeName":"C","metrics":[{"name":"rows","accumulatorId":8,"metricType":"sum"}]}],)"
      R"("children":[{"nodeName":"D"}],"metadata":{"k":"1","k":"2"},"metadata":{"y":"4","x":"3","y":"5"},)"
      R"("metrics":[{"name":"rows","accumulatorId":9,"metricType":"sum"}]},"time":55,"modifiedConfigs":{}})",
  }));
  ASSERT_TRUE(application);
  ASSERT_EQ(application->executions.size(), 1U);
  const auto& plan = application->executions[0].plan;
  EXPECT_EQ(names(plan), (Names{"B", "C", "D"}));
  EXPECT_EQ(test::all(plan[0].children), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(test::all(plan[0].accumulators), (std::vector<std::int64_t>{9}));
  EXPECT_EQ(test::all(plan[1].accumulators), (std::vector<std::int64_t>{8}));
  EXPECT_EQ(test::all(plan[0].metadata), (std::vector<PlanMetadata>{{"x", "3"}, {"y", "5"}}));
}

}  // namespace
}  // namespace stagegate
