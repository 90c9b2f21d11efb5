#include "model/plan_facts.h"

#include <gtest/gtest.h>

#include "identity/identify.h"
#include "unit/identity/applications.h"

namespace stagegate {
namespace {

std::vector<Stage> identified(const Application& application) {
  auto stages = pool_attempts(application);
  identify(application, stages);
  return stages;
}

std::optional<std::int64_t> count(const Stage& stage, PlanCount count) {
  return stage.plan.counts[index_of(count)];
}

// The revenue job with its join as a node of this name.
Application with_join(const std::string& name) {
  auto application = test::revenue_job();
  test::edit_nodes(application.executions[0].plan, [&](PlanNodeDraft& node) {
    if (node.name == "SortMergeJoin") {
      node.simple_string.replace(0, node.name.size(), name);
      node.name = name;
    }
  });
  return application;
}

TEST(PlanFacts, AJoinIsCountedInTheStageThatRanIt) {
  const auto stages = identified(test::revenue_job());
  ASSERT_EQ(stages.size(), 4U);
  for (const auto i : {0U, 1U, 3U}) {
    EXPECT_EQ(count(stages[i], PlanCount::shuffled_joins), 0) << i;
    EXPECT_EQ(stages[i].plan.joins, "");
  }
  EXPECT_EQ(count(stages[2], PlanCount::shuffled_joins), 1);
  EXPECT_EQ(count(stages[2], PlanCount::broadcast_joins), 0);
  EXPECT_EQ(stages[2].plan.joins, "join orders, customers on customer_id");
}

struct JoinCase {
  std::string name;
  std::int64_t broadcast = 0;
  std::int64_t shuffled = 0;
};

TEST(PlanFacts, JoinsAreToldApartInAllEngines) {
  for (const auto& one :
       {JoinCase{"BroadcastHashJoin", 1, 0}, JoinCase{"BroadcastNestedLoopJoin", 1, 0}, JoinCase{"ShuffledHashJoin", 0, 1},
        JoinCase{"SortMergeJoin(skew=true)", 0, 1}, JoinCase{"CartesianProduct", 0, 0}, JoinCase{"GpuBroadcastHashJoin", 1, 0},
        JoinCase{"GpuShuffledSymmetricHashJoin", 0, 1}, JoinCase{"CometSortMergeJoin", 0, 1}, JoinCase{"CometBroadcastHashJoin", 1, 0},
        JoinCase{"BroadcastHashJoinExecTransformer", 1, 0}, JoinCase{"ShuffledHashJoinExecTransformer", 0, 1}}) {
    const auto stages = identified(with_join(one.name));
    EXPECT_EQ(count(stages[2], PlanCount::broadcast_joins), one.broadcast) << one.name;
    EXPECT_EQ(count(stages[2], PlanCount::shuffled_joins), one.shuffled) << one.name;
  }
}

TEST(PlanFacts, WhatAnEarlierStageHasReadIsReadAgain) {
  auto application = test::revenue_job();
  test::edit_nodes(application.executions[0].plan, [](PlanNodeDraft& node) {
    if (node.accumulators == std::vector<std::int64_t>{12}) {
      node.metadata["Location"] = "InMemoryFileIndex(1 paths)[file:/lake/orders]";
    }
  });
  const auto stages = identified(application);
  EXPECT_EQ(count(stages[0], PlanCount::repeated_reads), 0);
  EXPECT_EQ(count(stages[1], PlanCount::repeated_reads), 1);
  EXPECT_EQ(stages[1].plan.repeated, "orders");
  EXPECT_EQ(count(identified(test::revenue_job())[1], PlanCount::repeated_reads), 0);
}

// The REST API has plans without accumulators, and RDDs without parents.
TEST(PlanFacts, WhatTheSourceDoesNotSayIsUnknown) {
  auto application = test::revenue_job();
  test::edit_nodes(application.executions[0].plan, [](PlanNodeDraft& node) { node.accumulators.clear(); });
  for (auto& stage : application.stages) {
    stage.rdds = {{.id = 1, .name = "", .scope_name = "", .call_site = "", .parents = {}},
                  {.id = 2, .name = "", .scope_name = "", .call_site = "", .parents = {}}};
  }
  for (const auto& stage : identified(application)) {
    EXPECT_EQ(stage.plan.counts, PlanCounts());
  }
}

// The orders' stage with its rows in a cache.
Application with_cache(const std::string& name, const std::string& call_site) {
  auto application = test::revenue_job();
  application.end_ms = 1000;
  application.stages[0].rdds[0].parents = {9};
  application.stages[0].rdds.push_back({.id = 9, .name = name, .scope_name = "", .call_site = call_site, .parents = {}, .persisted = true});
  return application;
}

std::string unused(const Application& application) {
  const auto stages = identified(application);
  EXPECT_EQ(count(stages[0], PlanCount::unused_caches).value_or(-1), stages[0].plan.unused_caches.empty() ? 0 : 1);
  return stages[0].plan.unused_caches;
}

TEST(PlanFacts, AnUnusedCacheIsCalledByItsTableItsRowsOrItsRdd) {
  EXPECT_EQ(unused(with_cache("In-memory table big", "")), "table big");
  EXPECT_EQ(unused(with_cache("*(1) Filter (id#1 > 3)\n+- FileScan parquet\n", "count at Native.java:0")), "rows of orders");
  EXPECT_EQ(unused(with_cache("pairs", "reduceByKey at job.py:7")), "pairs");
  EXPECT_EQ(unused(with_cache("MapPartitionsRDD", "reduceByKey at job.py:7")), "MapPartitionsRDD of reduceByKey at job.py");
}

TEST(PlanFacts, ACacheOfALibraryIsNobodysToMend) {
  auto application = with_cache("MapPartitionsRDD", "map at BisectingKMeans.scala:168");
  application.stages[0].details =
      "org.apache.spark.rdd.RDD.map(RDD.scala:370)\n"
      "org.apache.spark.mllib.clustering.BisectingKMeans.run(BisectingKMeans.scala:170)\n";
  EXPECT_EQ(unused(application), "");
}

// Adaptive execution reads nothing of a cached table without rows, though the plan has it.
TEST(PlanFacts, ACachedTableInAnotherPlanIsUsed) {
  auto application = with_cache("In-memory table big", "");
  auto& other = application.executions.emplace_back(application.executions[0]);
  other.id = 1;
  other.root_id = 1;
  EXPECT_EQ(unused(application), "");
}

TEST(PlanFacts, UnusedCachesAreUnknownBeforeTheEnd) {
  auto application = with_cache("In-memory table big", "");
  application.end_ms.reset();
  const auto stages = identified(application);
  EXPECT_FALSE(count(stages[0], PlanCount::unused_caches));
  EXPECT_EQ(count(stages[0], PlanCount::cache_reads), 0);
}

}  // namespace
}  // namespace stagegate
