// What in the plan of a stage gives other rows each time the job runs.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "identity/plan_index.h"
#include "model/application.h"

namespace stagegate {

// A stage of one run; both must outlive the call.
struct StageOfRun {
  const Application* application = nullptr;
  const PlanIndex* plans = nullptr;
  std::int32_t stage = 0;
};

// The most likely cause, as half a sentence: "Filter has rand() without a seed", "GlobalLimit 100 takes rows that nothing has put in
// order". "" where the plans show none.
//
// SAME is one stage in each of several runs. The part of the plan that the stage ran comes first, then what it rests on. Looked for are,
// from sure to likely:
//   rand, randn, uuid, shuffle and samples whose seed is another one in each run (Spark writes the seed that it draws into the plan);
//   other values that differ between the runs' plans, as those that current_timestamp() is turned into;
//   limits below which nothing is sorted;
//   what rests on the order or the partition in which rows come: monotonically_increasing_id, spark_partition_id, first, last, any_value,
//   collect_list; and RDDs: sample, zipWithIndex, zipWithUniqueId, repartition.
// A round-robin repartition of a DataFrame is not blamed: Spark sorts its rows first (spark.sql.execution.sortBeforeRepartition).
std::string unstable_source(std::span<const StageOfRun> same);

}  // namespace stagegate
