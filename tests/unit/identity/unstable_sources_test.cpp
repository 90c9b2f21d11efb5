#include "identity/unstable_sources.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unit/identity/applications.h"

namespace stagegate {
namespace {

// A node as Spark writes it; the texts are those of plans of Spark 4.3 and 3.5.
using Node = std::pair<std::string, std::string>;

// A stage that writes a shuffle and runs NODES, the topmost first; what lies below an "Exchange" among them belongs to another one.
Application map_stage(const std::vector<Node>& nodes) {
  Application application;
  application.executions.emplace_back();
  std::vector<PlanNodeDraft> plan;
  auto parent = test::add_node(plan, 0, "Exchange", "Exchange hashpartitioning(k#69L, 4), ENSURE_REQUIREMENTS, [plan_id=102]", {1});
  std::int64_t accumulator = 2;
  bool reads_shuffle = false;
  for (const auto& [name, text] : nodes) {
    // Spark gives these no metrics.
    reads_shuffle = reads_shuffle || name == "Exchange";
    const bool counts = name != "Project" && name != "GlobalLimit" && name != "LocalLimit";
    parent = test::add_node(plan, parent, name, text, counts ? std::vector<std::int64_t>{accumulator} : std::vector<std::int64_t>{});
    ++accumulator;
  }
  test::add_scan(plan, parent, "orders", 20);
  application.executions.back().plan = plan_of(plan);
  application.stages.push_back(test::stage_of(
      {.id = 0, .execution = 0, .accumulators = {1, 2, 20}, .reads = {}, .shuffle_write_bytes = 10, .shuffle_write_records = 1}));
  return application;
}

std::string source_of(const std::vector<Application>& runs) {
  std::vector<PlanIndex> plans;
  plans.reserve(runs.size());
  std::vector<StageOfRun> same;
  for (const auto& run : runs) {
    plans.emplace_back(run);
    same.push_back({&run, &plans.back(), 0});
  }
  return unstable_source(same);
}

// Of two runs whose plans have these nodes.
std::string source_between(const std::vector<Node>& one, const std::vector<Node>& other) {
  return source_of({map_stage(one), map_stage(other)});
}

// Of stages of one node.
std::string source_in(const Node& one, const Node& other) {
  return source_between({one}, {other});
}

TEST(UnstableSources, ASeedThatIsAnotherOneInEachRunWasNotGiven) {
  EXPECT_EQ(source_in({"Filter", "Filter (rand(-1835538092438742101) < 0.5)"}, {"Filter", "Filter (rand(-7688597243883745616) < 0.5)"}),
            "Filter has rand() without a seed");
  EXPECT_EQ(source_in({"Filter", "Filter (randn(6330853554242233500) < 0.5)"}, {"Filter", "Filter (randn(1009777178635956311) < 0.5)"}),
            "Filter has randn() without a seed");
  EXPECT_EQ(source_in({"Sample", "Sample 0.0, 0.3, false, 5442853555605264474"}, {"Sample", "Sample 0.0, 0.3, false, 8159651244753193146"}),
            "Sample has no seed");
}

TEST(UnstableSources, ASeedThatIsTheSameWasGiven) {
  EXPECT_EQ(source_in({"Filter", "Filter (rand(7) < 0.5)"}, {"Filter", "Filter (rand(7) < 0.5)"}), "");
  EXPECT_EQ(source_in({"Sample", "Sample 0.0, 0.3, false, 3"}, {"Sample", "Sample 0.0, 0.3, false, 3"}), "");
  EXPECT_EQ(source_in({"Filter", "Filter (brand(a#1) = 5)"}, {"Filter", "Filter (brand(a#9) = 5)"}), "") << "another function";
}

// Nodes without metrics, which no accumulator leads to, count as well.
TEST(UnstableSources, AreFoundInProjectsBetweenOtherNodes) {
  const Node top{"HashAggregate", "HashAggregate(keys=[k#69L], functions=[partial_count(1)])"};
  EXPECT_EQ(source_between({top, {"Project", "Project [k#69L, uuid(Some(5911787669591986927)) AS u#238]"}},
                           {top, {"Project", "Project [k#69L, uuid(Some(-6816272111755308567)) AS u#251]"}}),
            "Project has uuid() without a seed");
  EXPECT_EQ(source_between({top, {"Project", "Project [shuffle(array(id#68L, k#69L), Some(-225814040515272068)) AS a#353]"}},
                           {top, {"Project", "Project [shuffle(array(id#72L, k#74L), Some(-2580054848189014141)) AS a#375]"}}),
            "Project has shuffle() without a seed");
}

TEST(UnstableSources, TheClockShowsAsAnotherValueInEachRun) {
  EXPECT_EQ(source_in({"Filter", "Filter ((id#68L % 1000) < 489)"}, {"Filter", "Filter ((id#72L % 1000) < 320)"}),
            "Filter is another one in each run, as where it holds the time: ((id % 1000) < 489) and ((id % 1000) < 320)");
  EXPECT_EQ(source_in({"Filter", "Filter (id#68L > 1)"}, {"Filter", "Filter (id#72L > 1)"}), "") << "ids are counted anew";
}

TEST(UnstableSources, ALimitIsOneWhereNothingBelowItSortsAllRows) {
  const Node local{"LocalLimit", "LocalLimit 5000"};
  const Node global{"GlobalLimit", "GlobalLimit 5000, 0"};
  const Node one_partition{"Exchange", "Exchange SinglePartition, ENSURE_REQUIREMENTS, [plan_id=783]"};
  const Node all_sorted{"Sort", "Sort [id#68L ASC NULLS FIRST], true, 0"};
  const Node each_sorted{"Sort", "Sort [id#68L ASC NULLS FIRST], false, 0"};
  const auto source = [](std::vector<Node> nodes) {
    nodes.insert(nodes.begin(), {"HashAggregate", "HashAggregate(keys=[k#69L], functions=[partial_count(1)])"});
    return source_between(nodes, nodes);
  };
  EXPECT_EQ(source({global, one_partition, local}), "GlobalLimit takes rows that nothing has put in order");
  EXPECT_EQ(source({{"CollectLimit", "CollectLimit 10"}}), "CollectLimit takes rows that nothing has put in order");
  EXPECT_EQ(source({global, local, all_sorted}), "");
  EXPECT_EQ(source({global, one_partition, local, each_sorted}), "GlobalLimit takes rows that nothing has put in order");
  EXPECT_EQ(source({{"TakeOrderedAndProject", "TakeOrderedAndProject(limit=5000, orderBy=[id#68L ASC NULLS FIRST], output=[k#69L])"}}), "");
}

TEST(UnstableSources, WhatAStageRestsOnComesBehindWhatItRunsItself) {
  const Node top{"Filter", "Filter (r#1 < 0.5)"};
  const Node exchange{"Exchange", "Exchange hashpartitioning(k#69L, 4), ENSURE_REQUIREMENTS, [plan_id=90]"};
  const auto below = [](const std::string& seed) { return Node{"Project", "Project [rand(" + seed + ") AS r#1]"}; };
  EXPECT_EQ(source_between({top, exchange, below("-11")}, {top, exchange, below("22")}), "Project has rand() without a seed");
  const Node order{"Filter", "Filter ((monotonically_increasing_id() % 7) < 3)"};
  EXPECT_EQ(source_between({order, exchange, below("-11")}, {order, exchange, below("22")}), "Project has rand() without a seed")
      << "it is certain";
}

TEST(UnstableSources, WhatGoesByTheOrderOfRowsIsTheLastThatIsBlamed) {
  const auto source = [](const Node& node) { return source_in(node, node); };
  EXPECT_EQ(source({"Filter", "Filter ((monotonically_increasing_id() % 7) < 3)"}),
            "Filter has monotonically_increasing_id(), which goes by the order or the place in which rows come");
  EXPECT_EQ(source({"Filter", "Filter (SPARK_PARTITION_ID() < 2)"}),
            "Filter has spark_partition_id(), which goes by the order or the place in which rows come");
  EXPECT_EQ(source({"HashAggregate", "HashAggregate(keys=[k#69L], functions=[partial_first(id#68L, false)])"}),
            "HashAggregate has first(), which goes by the order or the place in which rows come");
}

TEST(UnstableSources, ARoundRobinOfRowsIsNotBlamed) {
  const Node node{"HashAggregate", "HashAggregate(keys=[k#69L], functions=[partial_count(1)])"};
  const Node exchange{"Exchange", "Exchange RoundRobinPartitioning(3), REPARTITION_BY_NUM, [plan_id=1006]"};
  EXPECT_EQ(source_between({node, exchange}, {node, exchange}), "");
}

TEST(UnstableSources, RddsAreToldByTheirScopesAndCallSites) {
  const auto source = [](const RddInfo& rdd) {
    Application application;
    application.stages.push_back(test::stage_of({.id = 0, .accumulators = {}, .reads = {}}));
    application.stages.back().rdds.push_back(rdd);
    return source_of({application, application});
  };
  EXPECT_EQ(source({.id = 9, .name = "ShuffledRDD", .scope_name = "coalesce", .call_site = "coalesce at x.py:1", .parents = {}}),
            "repartition() of an RDD deals rows out in the order in which they come");
  EXPECT_EQ(source({.id = 9, .name = "PythonRDD", .scope_name = "", .call_site = "zipWithIndex at explore.py:38", .parents = {}}),
            "zipWithIndex() numbers rows in the order in which they come");
  EXPECT_EQ(source({.id = 9, .name = "PartitionwiseSampledRDD", .scope_name = "sample", .call_site = "", .parents = {}}),
            "the sample of an RDD may have no seed");
  EXPECT_EQ(source({.id = 9, .name = "ShuffledRDD", .scope_name = "reduceByKey", .call_site = "", .parents = {}}), "");
}

}  // namespace
}  // namespace stagegate
