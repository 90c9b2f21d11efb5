#include "unit/ingest/as_rest_has_it.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace stagegate {
namespace {

using Rows = std::vector<std::size_t>;

void put_in_order(PackedColumn& column, const Rows& order) {
  std::vector<std::int64_t> values;
  for (const auto row : order) {
    values.push_back(column.empty() ? 0 : column[row]);
  }
  column = column.empty() ? PackedColumn() : PackedColumn(values);
}

void sort_by_partition(TaskColumns& winners) {
  Rows order(winners.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return winners.partitions[a] < winners.partitions[b]; });
  for (auto& column : winners.metrics) {
    put_in_order(column, order);
  }
  for (auto& column : winners.details) {
    put_in_order(column, order);
  }
  for (auto* column : {&winners.task_ids, &winners.attempt_numbers, &winners.launched_ms, &winners.places, &winners.partitions}) {
    put_in_order(*column, order);
  }
}

// The API gives the tasks of one stage after those of another, so that executors come in another order.
void sort_places(Application& application) {
  auto& places = application.places;
  Rows order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(places[a].executor, places[a].host) < std::tie(places[b].executor, places[b].host);
  });
  std::vector<TaskPlace> sorted;
  std::vector<std::int64_t> place_of(places.size());
  for (const auto index : order) {
    place_of[index] = static_cast<std::int64_t>(sorted.size());
    sorted.push_back(places[index]);
  }
  places = std::move(sorted);
  for (auto& stage : application.stages) {
    auto& column = stage.winners.places;
    for (std::size_t row = 0; row < column.size(); ++row) {
      column.set(row, place_of[static_cast<std::size_t>(column[row])]);
    }
  }
}

void strip(StageAttempt& stage) {
  stage.parents.clear();
  stage.accumulators.clear();
  for (auto& rdd : stage.rdds) {
    RddInfo bare;
    bare.id = rdd.id;
    rdd = bare;
  }
  // Which of several tasks that end in the same millisecond is the first is not said.
  std::stable_sort(stage.failures.begin(), stage.failures.end(), [](const TaskFailure& a, const TaskFailure& b) {
    return std::tie(a.reason, a.error_class, a.count) < std::tie(b.reason, b.error_class, b.count);
  });
  // Spark 4.0 and later logs them; no server of 4.3 or before answers them.
  stage.winners.details[index_of(TaskDetail::peak_memory_on_heap)].clear();
  stage.winners.details[index_of(TaskDetail::peak_memory_off_heap)].clear();
  sort_by_partition(stage.winners);
}

void strip(SqlExecution& execution) {
  // Servers since 4.2 say it; of what is none inside another it is itself.
  execution.root_id.reset();
  execution.details.clear();
  execution.modified_conf.clear();
  execution.plan = {};
  execution.earlier_nodes = {};
  if (execution.error && execution.error->empty()) {
    execution.error.reset();
  }
}

}  // namespace

Application as_rest_has_it(Application application) {
  for (auto& job : application.jobs) {
    if (!job.error.starts_with("Job aborted due to stage failure")) {
      job.error.clear();
    }
  }
  for (auto& executor : application.executors) {
    // Where tasks run in the driver: the API has the address of its block manager, the log its name.
    executor.host = executor.id == "driver" ? "" : executor.host;
  }
  for (auto& stage : application.stages) {
    strip(stage);
  }
  for (auto& execution : application.executions) {
    strip(execution);
  }
  sort_places(application);
  application.plan_metric_names.clear();
  application.accumulator_values.clear();
  application.unpersisted_rdds.clear();
  application.evidence.lines.reset();
  return application;
}

}  // namespace stagegate
