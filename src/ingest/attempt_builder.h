// The tasks of one stage attempt: who won, what was wasted.
//
// The last success of a partition wins. A success that a later one supersedes, or that `Resubmitted` takes away because its output was lost
// with an executor, is wasted, as is what every task did that did not succeed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ingest/events.h"
#include "ingest/partition_index.h"
#include "model/application.h"

namespace stagegate {

class AttemptBuilder {
 public:
  void add(const TaskEnd& task);

  bool has_tasks() const { return has_tasks_; }

  // Fills tasks (except what the stage declares), winners, totals, wasted and distributions. The builder is empty afterwards.
  void finish(StageAttempt& attempt);

 private:
  void add_success(const TaskEnd& task);
  void append_row(const TaskEnd& task);
  void replace_row(std::size_t row, const TaskMetrics& metrics);
  void remove_row(std::size_t row);
  void waste(const TaskMetrics& metrics);
  TaskMetrics metrics_of(std::size_t row) const;
  bool any_winner_has(std::size_t metric) const;

  TaskCounts counts_;
  bool has_tasks_ = false;
  PartitionIndex row_of_;
  TaskColumns winners_;
  std::vector<std::uint16_t> present_;  // of each winner: TaskMetrics::present
  PerMetric<std::int64_t> wasted_;
};

}  // namespace stagegate
