#include "model/pool_attempts.h"

#include <limits>
#include <map>
#include <utility>

namespace stagegate {
namespace {

bool ran(const StageAttempt& attempt) {
  return attempt.status != StageStatus::skipped && attempt.status != StageStatus::pending;
}

void add(PerMetric<std::int64_t>& sums, std::size_t metric, std::int64_t value) {
  auto& sum = sums[metric];
  std::int64_t total = sum.value_or(0);
  if (__builtin_add_overflow(total, value, &total)) {
    total = std::numeric_limits<std::int64_t>::max();
  }
  sum = total;
}

// Where the winner of a partition stands: which attempt, which row of its columns.
using Winners = std::map<std::int32_t, std::pair<const StageAttempt*, std::size_t>>;

void waste_row(Stage& stage, const StageAttempt& attempt, std::size_t row) {
  for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
    const auto& column = attempt.winners.values[metric];
    if (!column.empty()) {
      add(stage.wasted, metric, column[row]);
    }
  }
}

void take_winners(Stage& stage, Winners& winners, const StageAttempt& attempt) {
  for (std::size_t row = 0; row < attempt.winners.partitions.size(); ++row) {
    auto& winner = winners[attempt.winners.partitions[row]];
    if (winner.first != nullptr) {
      waste_row(stage, *winner.first, winner.second);
    }
    winner = {&attempt, row};
  }
}

// A metric that one attempt has and another lacks counts as 0 where it is lacking: the stage has it.
std::optional<Distribution> pooled(const Winners& winners, std::size_t metric) {
  std::vector<std::int64_t> values;
  values.reserve(winners.size());
  bool present = false;
  for (const auto& [partition, winner] : winners) {
    const auto& column = winner.first->winners.values[metric];
    present = present || !column.empty();
    values.push_back(column.empty() ? 0 : column[winner.second]);
  }
  if (!present) {
    return std::nullopt;
  }
  return distribution_of(std::move(values));
}

Stage pool(const std::vector<const StageAttempt*>& attempts) {
  Stage stage;
  const StageAttempt& last = *attempts.back();
  stage.id = last.id;
  stage.group = last.group;
  stage.description = last.description;
  stage.sql_execution = last.sql_execution;
  stage.cores = last.cores;
  stage.attempts = static_cast<std::int64_t>(attempts.size());
  Winners winners;
  for (const auto* attempt : attempts) {
    stage.failed += attempt->tasks.failed;
    stage.killed += attempt->tasks.killed;
    for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
      if (attempt->wasted[metric]) {
        add(stage.wasted, metric, *attempt->wasted[metric]);
      }
    }
    take_winners(stage, winners, *attempt);
  }
  stage.tasks = static_cast<std::int64_t>(winners.size());
  for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
    stage.metrics[metric] = pooled(winners, metric);
  }
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
