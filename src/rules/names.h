// The names that rules may use, and where their values come from.
//
//   scope stage   METRIC.min .p25 .median .p75 .max .sum   over the stage's successful tasks
//                 tasks, failed, killed, attempts, cores
//                 wasted.METRIC                            work of the stage that was thrown away
//                 baseline.METRIC.sum, baseline.tasks      the same stage as it was accepted
//                 runs                                     how often the job ran; unknown, as all that follows, where it ran once
//                 runs.METRIC.min .max .spread             the smallest and largest sum in one of these runs, and how far they are apart
//   scope run     METRIC.sum, wasted.METRIC, tasks, failed, killed, attempts   sums over all stages
//                 stages                                                       how many ran
//
// METRIC is a name of model/metric.h but `duration_ms`: rules judge bytes and counts, never seconds. `baseline.` and `runs.` know
// the metrics that a baseline keeps. A rule's parameters are names too; they are not in this table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/baseline.h"
#include "model/metric.h"
#include "model/stage.h"
#include "rules/rule.h"

namespace stagegate {

enum class NameKind : std::uint8_t {
  statistic,
  wasted,
  baseline_sum,
  tasks,
  failed,
  killed,
  attempts,
  cores,
  baseline_tasks,
  runs,
  runs_min,
  runs_max,
  runs_spread,
  stages,
};

enum class Statistic : std::uint8_t { min, p25, median, p75, max, sum };

struct NameInfo {
  std::string name;
  NameKind kind = NameKind::tasks;
  ParameterUnit unit = ParameterUnit::count;  // how it is printed
  Metric metric = Metric::input_bytes;        // of the first three kinds
  Statistic statistic = Statistic::sum;       // of `statistic`
};

// "min", "p25", ...
std::string_view to_string(Statistic statistic);

// Metrics that rules may judge: all but times.
bool is_judged(Metric metric);

// Whether it holds the runs of a job against each other.
bool is_of_runs(NameKind kind);

// All names of a scope, in the order of the table above. The table lives as long as the program.
std::span<const NameInfo> names_of(RuleScope scope);

// Null where there is no such name.
const NameInfo* find_name(RuleScope scope, std::string_view name);

// What a rule is held against. A run is a stage that holds the sums of all stages.
struct Subject {
  const Stage* stage = nullptr;
  const BaselineStage* accepted = nullptr;  // null: what begins with `baseline.` is unknown
  std::int64_t stages = 1;
};

// NaN where it is unknown.
double value_of(const NameInfo& name, const Subject& subject);

// The sums of a run; only these of the result's fields mean something. A metric is missing where no stage has it.
Stage sums_of(std::span<const Stage> stages);

}  // namespace stagegate
