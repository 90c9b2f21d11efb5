#include "model/pool_attempts.h"

#include <algorithm>
#include <cstddef>
#include <map>

#include "model/metric_sums.h"

namespace stagegate {
namespace {

// Where the winner of a partition stands: which attempt, which row of its columns.
struct Winner {
  std::int32_t partition = 0;
  std::uint32_t attempt = 0;
  std::size_t row = 0;
};

using Attempts = std::vector<const StageAttempt*>;

void waste_row(Stage& stage, const StageAttempt& attempt, std::size_t row) {
  for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
    const auto& column = attempt.winners.metrics[metric];
    if (!column.empty()) {
      add_to(stage.wasted, metric, column[row]);
    }
  }
}

// One for each partition: of the last attempt that has one. What the earlier ones did is wasted.
std::vector<Winner> find_winners(Stage& stage, const Attempts& attempts) {
  std::vector<Winner> all;
  for (std::uint32_t attempt = 0; attempt < attempts.size(); ++attempt) {
    const auto& partitions = attempts[attempt]->winners.partitions;
    for (std::size_t row = 0; row < partitions.size(); ++row) {
      all.push_back({static_cast<std::int32_t>(partitions[row]), attempt, row});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Winner& a, const Winner& b) { return a.partition < b.partition; });
  std::vector<Winner> winners;
  for (const auto& candidate : all) {
    if (!winners.empty() && winners.back().partition == candidate.partition) {
      waste_row(stage, *attempts[winners.back().attempt], winners.back().row);
      winners.back() = candidate;
    } else {
      winners.push_back(candidate);
    }
  }
  return winners;
}

// A metric that one attempt has and another lacks counts as 0 where it is lacking: the stage has it.
std::optional<Distribution> pooled(const std::vector<Winner>& winners, const Attempts& attempts, std::size_t metric) {
  std::vector<std::int64_t> values;
  values.reserve(winners.size());
  bool present = false;
  for (const auto& winner : winners) {
    const auto& column = attempts[winner.attempt]->winners.metrics[metric];
    present = present || !column.empty();
    values.push_back(column.empty() ? 0 : column[winner.row]);
  }
  if (!present) {
    return std::nullopt;
  }
  return distribution_of(values);
}

void pool_tasks(Stage& stage, const Attempts& attempts) {
  if (attempts.size() == 1) {
    stage.tasks = static_cast<std::int64_t>(attempts.front()->winners.rows());
    stage.metrics = attempts.front()->distributions;
    return;
  }
  const auto winners = find_winners(stage, attempts);
  stage.tasks = static_cast<std::int64_t>(winners.size());
  for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
    stage.metrics[metric] = pooled(winners, attempts, metric);
  }
}

Stage pool(const Attempts& attempts) {
  Stage stage;
  const StageAttempt& last = *attempts.back();
  stage.id = last.id;
  stage.group = last.group;
  stage.description = last.description;
  stage.sql_execution = last.sql_execution;
  stage.cores = last.cores;
  stage.attempts = static_cast<std::int64_t>(attempts.size());
  for (const auto* attempt : attempts) {
    stage.failed += attempt->tasks.failed;
    stage.killed += attempt->tasks.killed;
    for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
      if (attempt->wasted[metric]) {
        add_to(stage.wasted, metric, *attempt->wasted[metric]);
      }
    }
  }
  pool_tasks(stage, attempts);
  return stage;
}

}  // namespace

std::vector<Stage> pool_attempts(const Application& application) {
  std::map<std::int32_t, std::vector<const StageAttempt*>> by_stage;
  for (const auto& attempt : application.stages) {
    if (ran(attempt)) {
      by_stage[attempt.id].push_back(&attempt);
    }
  }
  std::vector<Stage> stages;
  stages.reserve(by_stage.size());
  for (const auto& [id, attempts] : by_stage) {
    stages.push_back(pool(attempts));
  }
  return stages;
}

}  // namespace stagegate
