// The tasks of one stage attempt: who won, what was wasted.
//
// The last success of a partition wins. A success that a later one supersedes, or that `Resubmitted` takes away because its output was lost
// with an executor, is wasted, as is what every task did that did not succeed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/events.h"
#include "ingest/partition_index.h"
#include "model/application.h"

namespace stagegate {

class AttemptBuilder {
 public:
  explicit AttemptBuilder(TaskDepth depth = TaskDepth::judged) : depth_(depth) {}

  // PLACE: where it ran, an index into Application::places; kept at TaskDepth::all only.
  void add(const TaskEnd& task, std::size_t place);

  // Says that few tasks will follow, if any: their stage has completed. Gives back the memory that looking up partitions takes.
  void rest();

  // Fills tasks (except what the stage declares), winners, totals, wasted, distributions and failures. The builder is empty afterwards.
  void finish(StageAttempt& attempt);

 private:
  void add_success(const TaskEnd& task, std::size_t place);
  void append_row(const TaskEnd& task, std::size_t place);
  void replace_row(std::size_t row, const TaskEnd& task, std::size_t place);
  void remove_row(std::size_t row);
  void waste(const TaskNumbers& numbers);
  void waste_row(std::size_t row);
  void note_failure(const TaskEnd& task);
  std::optional<std::size_t> find_row(std::int32_t partition);
  bool row_has(std::size_t row, std::size_t metric) const;
  bool any_winner_has(std::size_t metric) const;

  TaskDepth depth_;
  TaskCounts counts_;
  PartitionIndex row_of_;
  bool resting_ = false;  // row_of_ is empty whatever the winners are
  TaskColumns winners_;
  PackedColumn present_;  // of each winner: TaskNumbers::present
  PerMetric<std::int64_t> wasted_;
  std::vector<TaskFailure> failures_;
  std::vector<std::string> failure_kinds_;  // of each, its message without_numbers()
  std::int64_t other_failures_ = 0;
};

}  // namespace stagegate
