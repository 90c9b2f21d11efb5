#include "ingest/attempt_builder.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error_text.h"
#include "model/distribution.h"
#include "model/metric_sums.h"

namespace stagegate {
namespace {

// Every column of numbers that there is at DEPTH, in the order of TaskNumbers.
template <typename OnColumn>
void for_each_number(TaskColumns& columns, TaskDepth depth, OnColumn&& on_column) {
  std::size_t number = 0;
  for (auto& column : columns.metrics) {
    on_column(column, number++);
  }
  if (depth == TaskDepth::all) {
    for (auto& column : columns.details) {
      on_column(column, number++);
    }
  }
}

}  // namespace

void AttemptBuilder::add(const TaskEnd& task, std::size_t place) {
  counts_.speculative += task.speculative ? 1 : 0;
  if (task.kind == TaskEndKind::success) {
    add_success(task, place);
    return;
  }
  note_failure(task);
  counts_.killed += task.kind == TaskEndKind::killed ? 1 : 0;
  counts_.failed += task.kind == TaskEndKind::killed ? 0 : 1;
  if (task.kind != TaskEndKind::resubmitted) {
    waste(task.numbers);
    return;
  }
  // Its times are those of the success that it takes away, and it has no metrics.
  if (const auto row = find_row(task.partition)) {
    waste_row(*row);
    remove_row(*row);
  }
}

void AttemptBuilder::rest() {
  row_of_ = PartitionIndex();
  resting_ = true;
}

std::optional<std::size_t> AttemptBuilder::find_row(std::int32_t partition) {
  if (resting_) {
    for (std::size_t row = 0; row < winners_.rows(); ++row) {
      row_of_.set(static_cast<std::int32_t>(winners_.partitions[row]), row);
    }
    resting_ = false;
  }
  return row_of_.find(partition);
}

void AttemptBuilder::add_success(const TaskEnd& task, std::size_t place) {
  if (const auto row = find_row(task.partition)) {
    waste_row(*row);
    replace_row(*row, task, place);
    return;
  }
  row_of_.set(task.partition, winners_.rows());
  append_row(task, place);
}

void AttemptBuilder::append_row(const TaskEnd& task, std::size_t place) {
  const auto rows = winners_.rows();
  for_each_number(winners_, depth_, [&](PackedColumn& column, std::size_t number) {
    if (task.numbers.has(number)) {
      column.fill_up(rows);
    }
    if (task.numbers.has(number) || !column.empty()) {
      column.push_back(task.numbers.values[number]);
    }
  });
  winners_.partitions.push_back(task.partition);
  present_.push_back(static_cast<std::int64_t>(task.numbers.present));
  if (depth_ == TaskDepth::all) {
    winners_.task_ids.push_back(task.task_id);
    winners_.attempt_numbers.push_back(task.attempt_number);
    winners_.launched_ms.push_back(task.launched_ms);
    winners_.places.push_back(static_cast<std::int64_t>(place));
  }
}

void AttemptBuilder::replace_row(std::size_t row, const TaskEnd& task, std::size_t place) {
  for_each_number(winners_, depth_, [&](PackedColumn& column, std::size_t number) {
    if (task.numbers.has(number)) {
      column.fill_up(winners_.rows());
    }
    if (!column.empty()) {
      column.set(row, task.numbers.values[number]);
    }
  });
  present_.set(row, static_cast<std::int64_t>(task.numbers.present));
  if (depth_ == TaskDepth::all) {
    winners_.task_ids.set(row, task.task_id);
    winners_.attempt_numbers.set(row, task.attempt_number);
    winners_.launched_ms.set(row, task.launched_ms);
    winners_.places.set(row, static_cast<std::int64_t>(place));
  }
}

// The last row takes the place of the one that goes.
void AttemptBuilder::remove_row(std::size_t row) {
  row_of_.erase(static_cast<std::int32_t>(winners_.partitions[row]));
  const auto last = winners_.rows() - 1;
  const auto take_last = [&](PackedColumn& column) {
    if (!column.empty()) {
      column.set(row, column[last]);
      column.pop_back();
    }
  };
  for_each_number(winners_, depth_, [&](PackedColumn& column, std::size_t) { take_last(column); });
  for (auto* column :
       {&winners_.partitions, &winners_.task_ids, &winners_.attempt_numbers, &winners_.launched_ms, &winners_.places, &present_}) {
    take_last(*column);
  }
  if (row != last) {
    row_of_.set(static_cast<std::int32_t>(winners_.partitions[row]), row);
  }
}

void AttemptBuilder::waste(const TaskNumbers& numbers) {
  for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
    if (numbers.has(metric)) {
      add_to(wasted_, metric, numbers.values[metric]);
    }
  }
}

void AttemptBuilder::waste_row(std::size_t row) {
  for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
    if (row_has(row, metric)) {
      add_to(wasted_, metric, winners_.metrics[metric][row]);
    }
  }
}

// Few kinds are kept, each with its count and its first message: a stage that fails does so a thousand times alike.
void AttemptBuilder::note_failure(const TaskEnd& task) {
  const auto kind = without_numbers(task.error);
  for (std::size_t i = 0; i < failures_.size(); ++i) {
    auto& known = failures_[i];
    if (known.reason == task.reason && known.error_class == task.error_class && failure_kinds_[i] == kind) {
      ++known.count;
      return;
    }
  }
  if (failures_.size() == kMaxTaskFailures) {
    ++other_failures_;
    return;
  }
  failures_.push_back({.reason = std::string(task.reason),
                       .error_class = std::string(task.error_class),
                       .message = std::string(task.error),
                       .count = 1,
                       .first_partition = task.partition,
                       .first_executor = std::string(task.executor)});
  failure_kinds_.push_back(kind);
}

bool AttemptBuilder::row_has(std::size_t row, std::size_t metric) const {
  return (static_cast<std::uint64_t>(present_[row]) & TaskNumbers::bit(metric)) != 0;
}

bool AttemptBuilder::any_winner_has(std::size_t number) const {
  for (std::size_t row = 0; row < present_.size(); ++row) {
    if (row_has(row, number)) {
      return true;
    }
  }
  return false;
}

void AttemptBuilder::finish(StageAttempt& attempt) {
  counts_.succeeded = static_cast<std::int64_t>(winners_.rows());
  counts_.declared = attempt.tasks.declared;
  attempt.tasks = counts_;
  attempt.wasted = wasted_;
  // A column whose only rows were taken away again is none.
  for_each_number(winners_, depth_, [&](PackedColumn& column, std::size_t number) {
    if (!column.empty() && !any_winner_has(number)) {
      column.clear();
    }
  });
  for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
    if (const auto& column = winners_.metrics[metric]; !column.empty()) {
      attempt.distributions[metric] = distribution_of(column);
      attempt.totals[metric] = attempt.distributions[metric]->sum;
    }
  }
  std::stable_sort(failures_.begin(), failures_.end(), [](const TaskFailure& a, const TaskFailure& b) { return a.count > b.count; });
  attempt.failures = std::move(failures_);
  attempt.other_failures = other_failures_;
  attempt.winners = std::move(winners_);
  *this = AttemptBuilder(depth_);
}

}  // namespace stagegate
