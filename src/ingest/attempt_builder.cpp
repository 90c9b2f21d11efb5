#include "ingest/attempt_builder.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "model/distribution.h"

namespace stagegate {
namespace {

void add_up(std::optional<std::int64_t>& sum, std::int64_t value) {
  std::int64_t total = sum.value_or(0);
  if (__builtin_add_overflow(total, value, &total)) {
    total = std::numeric_limits<std::int64_t>::max();
  }
  sum = total;
}

}  // namespace

void AttemptBuilder::add(const TaskEnd& task) {
  has_tasks_ = true;
  counts_.speculative += task.speculative ? 1 : 0;
  switch (task.kind) {
    case TaskEndKind::success:
      add_success(task);
      return;
    case TaskEndKind::resubmitted:
      // Its times are those of the success that it takes away, and it has no metrics.
      if (const auto row = row_of_.find(task.partition)) {
        waste(metrics_of(*row));
        remove_row(*row);
      }
      ++counts_.failed;
      return;
    case TaskEndKind::killed:
      ++counts_.killed;
      break;
    case TaskEndKind::failed:
      ++counts_.failed;
      break;
  }
  waste(task.metrics);
}

void AttemptBuilder::add_success(const TaskEnd& task) {
  if (const auto row = row_of_.find(task.partition)) {
    waste(metrics_of(*row));
    replace_row(*row, task.metrics);
    return;
  }
  row_of_.set(task.partition, winners_.partitions.size());
  append_row(task);
}

void AttemptBuilder::append_row(const TaskEnd& task) {
  const auto rows = winners_.partitions.size();
  winners_.partitions.push_back(task.partition);
  present_.push_back(task.metrics.present);
  for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
    auto& column = winners_.values[metric];
    if (task.metrics.has(metric) && column.size() < rows) {
      column.resize(rows);
    }
    if (task.metrics.has(metric) || !column.empty()) {
      column.push_back(task.metrics.values[metric]);
    }
  }
}

void AttemptBuilder::replace_row(std::size_t row, const TaskMetrics& metrics) {
  present_[row] = metrics.present;
  for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
    auto& column = winners_.values[metric];
    if (metrics.has(metric)) {
      column.resize(winners_.partitions.size());
    }
    if (!column.empty()) {
      column[row] = metrics.values[metric];
    }
  }
}

// The last row takes the place of the one that goes.
void AttemptBuilder::remove_row(std::size_t row) {
  row_of_.erase(winners_.partitions[row]);
  const auto last = winners_.partitions.size() - 1;
  if (row != last) {
    winners_.partitions[row] = winners_.partitions[last];
    present_[row] = present_[last];
    row_of_.set(winners_.partitions[row], row);
  }
  winners_.partitions.pop_back();
  present_.pop_back();
  for (auto& column : winners_.values) {
    if (!column.empty()) {
      column[row] = column[last];
      column.pop_back();
    }
  }
}

void AttemptBuilder::waste(const TaskMetrics& metrics) {
  for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
    if (metrics.has(metric)) {
      add_up(wasted_[metric], metrics.values[metric]);
    }
  }
}

TaskMetrics AttemptBuilder::metrics_of(std::size_t row) const {
  TaskMetrics metrics;
  metrics.present = present_[row];
  for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
    if (metrics.has(metric)) {
      metrics.values[metric] = winners_.values[metric][row];
    }
  }
  return metrics;
}

bool AttemptBuilder::any_winner_has(std::size_t metric) const {
  return std::any_of(present_.begin(), present_.end(), [&](std::uint16_t present) { return TaskMetrics::has(present, metric); });
}

void AttemptBuilder::finish(StageAttempt& attempt) {
  counts_.succeeded = static_cast<std::int64_t>(winners_.partitions.size());
  counts_.declared = attempt.tasks.declared;
  attempt.tasks = counts_;
  attempt.wasted = wasted_;
  for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
    auto& column = winners_.values[metric];
    if (!any_winner_has(metric)) {
      column.clear();
      continue;
    }
    attempt.distributions[metric] = distribution_of(column);
    attempt.totals[metric] = attempt.distributions[metric]->sum;
  }
  attempt.winners = std::move(winners_);
  *this = AttemptBuilder();
}

}  // namespace stagegate
