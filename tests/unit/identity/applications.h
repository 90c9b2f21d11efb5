// Applications written out by hand, as the reader of event logs would have made them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/application.h"
#include "model/pool_attempts.h"
#include "model/stage.h"
#include "support/plans.h"

namespace stagegate::test {

// Adds a node below PARENT; the first node is the root and has no parent.
inline std::size_t add_node(std::vector<PlanNodeDraft>& plan, std::size_t parent, std::string name, std::string simple_string,
                            std::vector<std::int64_t> accumulators, std::map<std::string, std::string> metadata = {}) {
  const auto index = plan.size();
  plan.push_back({.name = std::move(name),
                  .simple_string = std::move(simple_string),
                  .children = {},
                  .accumulators = std::move(accumulators),
                  .metadata = std::move(metadata)});
  if (index != parent) {
    plan[parent].children.push_back(static_cast<std::uint32_t>(index));
  }
  return index;
}

inline std::size_t add_scan(std::vector<PlanNodeDraft>& plan, std::size_t parent, const std::string& table, std::int64_t accumulator) {
  return add_node(plan, parent, "Scan parquet ", "FileScan parquet [id#1L] Location: InMemoryFileIndex(1 paths)[file:/lake/" + table + "]",
                  {accumulator}, {{"Format", "Parquet"}, {"Location", "InMemoryFileIndex(1 paths)[file:/lake/" + table + "]"}});
}

struct StageShape {
  std::int32_t id = 0;
  std::int64_t execution = -1;  // -1: none
  std::vector<std::int64_t> accumulators;
  std::int64_t rdd = 0;             // the RDD that ends the stage
  std::vector<std::int64_t> reads;  // the RDDs of other stages that it reads
  std::int64_t input_records = 0;
  std::int64_t shuffle_read_records = 0;
  std::int64_t shuffle_write_bytes = 0;
  std::int64_t shuffle_write_records = 0;
};

inline StageAttempt stage_of(const StageShape& shape) {
  StageAttempt stage;
  stage.id = shape.id;
  stage.status = StageStatus::complete;
  stage.name = "$anonfun$withThreadLocalCaptured$2 at CompletableFuture.java:1768";
  if (shape.execution >= 0) {
    stage.sql_execution = shape.execution;
  }
  stage.accumulators = shape.accumulators;
  stage.rdds = {{.id = shape.rdd, .name = "MapPartitionsRDD", .scope_name = "Exchange", .call_site = "", .parents = shape.reads}};
  stage.winners.partitions = PackedColumn({0});
  const auto set = [&](Metric metric, std::int64_t value) {
    stage.totals[index_of(metric)] = value;
    stage.winners.metrics[index_of(metric)] = PackedColumn({value});
    stage.distributions[index_of(metric)] = distribution_of({value});
  };
  set(Metric::input_records, shape.input_records);
  set(Metric::shuffle_read_records, shape.shuffle_read_records);
  set(Metric::shuffle_write_bytes, shape.shuffle_write_bytes);
  set(Metric::shuffle_write_records, shape.shuffle_write_records);
  return stage;
}

// The numbers of a run that may be other ones in the next.
struct Numbering {
  std::int32_t orders = 0;  // stage ids
  std::int32_t customers = 1;
  std::int32_t join = 4;
  std::int32_t result = 8;
  std::int64_t accumulators = 0;  // added to each id
  std::int64_t expressions = 0;   // added to each expression id
  std::string path = "file:/ci/runs/1/out";
};

// orders joined to customers, revenue by country, written as Parquet: four stages.
inline Application revenue_job(const Numbering& numbers = {},
                               const std::string& description = "parquet at NativeMethodAccessorImpl.java:0") {
  const auto id = [&](const std::string& column, int number) { return column + "#" + std::to_string(number + numbers.expressions); };
  const auto at = [&](std::int64_t accumulator) { return accumulator + numbers.accumulators; };
  SqlExecution execution{.id = 0,
                         .root_id = 0,
                         .description = description,
                         .details = {},
                         .started_ms = {},
                         .ended_ms = {},
                         .error = {},
                         .ended = true,
                         .modified_conf = {},
                         .plan = {},
                         .earlier_nodes = {}};
  std::vector<PlanNodeDraft> plan;
  add_node(plan, 0, "AdaptiveSparkPlan", "AdaptiveSparkPlan isFinalPlan=true", {});
  const auto write = add_node(
      plan, 0, "Execute InsertIntoHadoopFsRelationCommand",
      "Execute InsertIntoHadoopFsRelationCommand " + numbers.path + ", false, Parquet, [path=" + numbers.path + "], Overwrite, [country]",
      {at(1)});
  const auto sum = add_node(plan, write, "HashAggregate",
                            "HashAggregate(keys=[" + id("country", 4) + "], functions=[sum(" + id("amount", 2) + ")])", {at(2)});
  const auto exchange =
      add_node(plan, sum, "Exchange", "Exchange hashpartitioning(" + id("country", 4) + ", 200), ENSURE_REQUIREMENTS", {at(3)});
  const auto partial =
      add_node(plan, exchange, "HashAggregate",
               "HashAggregate(keys=[" + id("country", 4) + "], functions=[partial_sum(" + id("amount", 2) + ")])", {at(4)});
  const auto join = add_node(plan, partial, "SortMergeJoin",
                             "SortMergeJoin [" + id("customer_id", 1) + "L], [" + id("customer_id", 3) + "L], Inner", {at(5)});
  const auto left = add_node(plan, join, "Sort", "Sort [" + id("customer_id", 1) + "L ASC NULLS FIRST], false, 0", {at(6)});
  const auto orders =
      add_node(plan, left, "Exchange", "Exchange hashpartitioning(" + id("customer_id", 1) + "L, 200), ENSURE_REQUIREMENTS", {at(7)});
  add_scan(plan, add_node(plan, orders, "Filter", "Filter isnotnull(" + id("customer_id", 1) + "L)", {at(8)}), "orders", at(9));
  const auto right = add_node(plan, join, "Sort", "Sort [" + id("customer_id", 3) + "L ASC NULLS FIRST], false, 0", {at(10)});
  const auto customers =
      add_node(plan, right, "Exchange", "Exchange hashpartitioning(" + id("customer_id", 3) + "L, 200), ENSURE_REQUIREMENTS", {at(11)});
  add_scan(plan, customers, "customers", at(12));

  execution.plan = plan_of(plan);

  Application application;
  application.executions = {execution};
  application.stages = {
      stage_of({.id = numbers.orders,
                .execution = 0,
                .accumulators = {at(7), at(8), at(9)},
                .rdd = 10,
                .reads = {},
                .input_records = 1000,
                .shuffle_read_records = 0,
                .shuffle_write_bytes = 9000,
                .shuffle_write_records = 1000}),
      stage_of({.id = numbers.customers,
                .execution = 0,
                .accumulators = {at(11), at(12)},
                .rdd = 11,
                .reads = {},
                .input_records = 50,
                .shuffle_read_records = 0,
                .shuffle_write_bytes = 400,
                .shuffle_write_records = 50}),
      stage_of({.id = numbers.join,
                .execution = 0,
                .accumulators = {at(3), at(4), at(5), at(6), at(7), at(10), at(11)},
                .rdd = 20,
                .reads = {10, 11},
                .input_records = 0,
                .shuffle_read_records = 1050,
                .shuffle_write_bytes = 90,
                .shuffle_write_records = 9}),
      stage_of({.id = numbers.result,
                .execution = 0,
                .accumulators = {at(1), at(2), at(3)},
                .rdd = 30,
                .reads = {20},
                .input_records = 0,
                .shuffle_read_records = 9,
                .shuffle_write_bytes = 0,
                .shuffle_write_records = 0}),
  };
  std::sort(application.stages.begin(), application.stages.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return application;
}

inline StageKey key_of(const std::vector<Stage>& stages, std::int32_t id) {
  for (const auto& stage : stages) {
    if (stage.id == id) {
      return stage.key;
    }
  }
  return {};
}

}  // namespace stagegate::test
