// The names that rules may use, and where their values come from.
//
//   scope stage   METRIC.min .p25 .median .p75 .max .sum   over the stage's successful tasks
//                 tasks, failed, killed, attempts, cores
//                 wasted.METRIC                            work of the stage that was thrown away
//                 PLAN                                     what the plan and the caches say of it
//                 baseline.METRIC.sum, baseline.tasks, baseline.PLAN           the same stage as it was accepted
//                 is_new                                   1 where the accepted run does not have the stage, 0 where it has
//                 run.METRIC.sum, run.PLAN                 sums over all stages of the run
//                 baseline.run.METRIC.sum, baseline.run.PLAN                   of the accepted run
//                 runs                                     how often the job ran; unknown, as all that follows, where it ran once
//                 runs.METRIC.min .max .spread             the smallest and largest sum in one of these runs, and how far they are apart
//   scope run     METRIC.sum, wasted.METRIC, tasks, failed, killed, attempts, PLAN   sums over all stages
//                 stages                                                       how many ran
//                 left_group_actions                       actions under a job group that was left set; 0: there is none
//
// METRIC is a name of model/metric.h but `duration_ms`: rules judge bytes and counts, never seconds. PLAN is a name of
// model/plan_facts.h. `baseline.`, `run.` and `runs.` know the metrics that a baseline keeps, and `baseline.` and `run.` of scope stage the
// plan's counts that it keeps. Without an accepted run that can be compared with all of `baseline.` and `is_new` are unknown. A rule's
// parameters are names too; they are not in this table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/baseline.h"
#include "model/metric.h"
#include "model/plan_facts.h"
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
  plan_count,
  baseline_plan_count,
  run_sum,
  run_plan_count,
  baseline_run_sum,
  baseline_run_plan_count,
  is_new,
  left_group_actions,
};

// Whether its value rests on the accepted run.
bool is_of_baseline(NameKind kind);

enum class Statistic : std::uint8_t { min, p25, median, p75, max, sum };

struct NameInfo {
  std::string name;
  NameKind kind = NameKind::tasks;
  ParameterUnit unit = ParameterUnit::count;  // how it is printed
  Metric metric = Metric::input_bytes;        // of statistics, wasted work and sums
  Statistic statistic = Statistic::sum;       // of `statistic`
  PlanCount plan = PlanCount::cache_reads;    // of the plan's counts
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
  const BaselineStage* accepted = nullptr;      // null: the accepted run does not have the stage, or there is none
  const Stage* run = nullptr;                   // the sums of the stage's run
  const BaselineStage* accepted_run = nullptr;  // the sums of the accepted run; null: there is none that can be compared with
  std::int64_t stages = 1;
  const RunFacts* facts = nullptr;  // of scope run
};

// NaN where it is unknown.
double value_of(const NameInfo& name, const Subject& subject);

}  // namespace stagegate
