#include "rules/names.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/saturating.h"
#include "model/metric_sums.h"

namespace stagegate {
namespace {

constexpr std::array<Statistic, 6> kStatistics{Statistic::min, Statistic::p25, Statistic::median,
                                               Statistic::p75, Statistic::max, Statistic::sum};

ParameterUnit unit_of(const MetricInfo& info) {
  return info.unit == Unit::bytes ? ParameterUnit::bytes : ParameterUnit::count;
}

void add_counts(std::vector<NameInfo>& names) {
  names.push_back({.name = "tasks", .kind = NameKind::tasks});
  names.push_back({.name = "failed", .kind = NameKind::failed});
  names.push_back({.name = "killed", .kind = NameKind::killed});
  names.push_back({.name = "attempts", .kind = NameKind::attempts});
}

void add_wasted(std::vector<NameInfo>& names) {
  for (const auto& info : kMetrics) {
    if (is_judged(info.metric)) {
      names.push_back(
          {.name = fmt::format("wasted.{}", info.name), .kind = NameKind::wasted, .unit = unit_of(info), .metric = info.metric});
    }
  }
}

// Of the metrics that a baseline keeps.
void add_runs(std::vector<NameInfo>& names) {
  constexpr std::array<std::pair<NameKind, std::string_view>, 3> kKinds{
      {{NameKind::runs_min, "min"}, {NameKind::runs_max, "max"}, {NameKind::runs_spread, "spread"}}};
  names.push_back({.name = "runs", .kind = NameKind::runs});
  for (const auto& info : kMetrics) {
    for (const auto& [kind, word] : kKinds) {
      if (is_judged(info.metric) && is_kept_in_baseline(info.metric)) {
        names.push_back({.name = fmt::format("runs.{}.{}", info.name, word), .kind = kind, .unit = unit_of(info), .metric = info.metric});
      }
    }
  }
}

void add_statistic(std::vector<NameInfo>& names, const MetricInfo& info, Statistic statistic) {
  names.push_back({.name = fmt::format("{}.{}", info.name, to_string(statistic)),
                   .kind = NameKind::statistic,
                   .unit = unit_of(info),
                   .metric = info.metric,
                   .statistic = statistic});
}

std::vector<NameInfo> stage_names() {
  std::vector<NameInfo> names;
  for (const auto& info : kMetrics) {
    if (is_judged(info.metric)) {
      std::for_each(kStatistics.begin(), kStatistics.end(), [&](Statistic statistic) { add_statistic(names, info, statistic); });
    }
  }
  add_counts(names);
  names.push_back({.name = "cores", .kind = NameKind::cores});
  add_wasted(names);
  for (const auto& info : kMetrics) {
    if (is_judged(info.metric) && is_kept_in_baseline(info.metric)) {
      names.push_back({.name = fmt::format("baseline.{}.sum", info.name),
                       .kind = NameKind::baseline_sum,
                       .unit = unit_of(info),
                       .metric = info.metric});
    }
  }
  names.push_back({.name = "baseline.tasks", .kind = NameKind::baseline_tasks});
  add_runs(names);
  return names;
}

std::vector<NameInfo> run_names() {
  std::vector<NameInfo> names;
  for (const auto& info : kMetrics) {
    if (is_judged(info.metric)) {
      add_statistic(names, info, Statistic::sum);
    }
  }
  add_counts(names);
  names.push_back({.name = "stages", .kind = NameKind::stages});
  add_wasted(names);
  return names;
}

double known(const std::optional<std::int64_t>& value) {
  return value ? static_cast<double>(*value) : std::numeric_limits<double>::quiet_NaN();
}

// Of what was not the same in each run the largest: only what is beyond all that was seen is more.
double known(const std::optional<Seen>& seen) {
  return known(seen ? std::optional(seen->most) : std::nullopt);
}

double statistic_of(const std::optional<Distribution>& distribution, Statistic statistic) {
  if (!distribution) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  switch (statistic) {
    case Statistic::min:
      return static_cast<double>(distribution->min);
    case Statistic::p25:
      return distribution->p25.as_double();
    case Statistic::median:
      return distribution->median.as_double();
    case Statistic::p75:
      return distribution->p75.as_double();
    case Statistic::max:
      return static_cast<double>(distribution->max);
    case Statistic::sum:
      return static_cast<double>(distribution->sum);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double runs_of(const NameInfo& name, const Stage& stage) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  if (!stage.repeats) {
    return kUnknown;
  }
  if (name.kind == NameKind::runs) {
    return static_cast<double>(stage.repeats->runs);
  }
  const auto& total = stage.repeats->totals[index_of(name.metric)];
  if (!total) {
    return kUnknown;
  }
  const auto least = static_cast<double>(total->least);
  const auto most = static_cast<double>(total->most);
  return name.kind == NameKind::runs_min ? least : name.kind == NameKind::runs_max ? most : most - least;
}

void add_metric(Stage& sums, const Stage& stage, std::size_t metric) {
  if (stage.metrics[metric]) {
    Distribution total;
    total.sum = saturating_add(sums.metrics[metric] ? sums.metrics[metric]->sum : 0, stage.metrics[metric]->sum);
    sums.metrics[metric] = total;
  }
  if (stage.wasted[metric]) {
    add_to(sums.wasted, metric, *stage.wasted[metric]);
  }
}

}  // namespace

std::string_view to_string(Statistic statistic) {
  switch (statistic) {
    case Statistic::min:
      return "min";
    case Statistic::p25:
      return "p25";
    case Statistic::median:
      return "median";
    case Statistic::p75:
      return "p75";
    case Statistic::max:
      return "max";
    case Statistic::sum:
      return "sum";
  }
  return "sum";
}

bool is_of_runs(NameKind kind) {
  return kind == NameKind::runs || kind == NameKind::runs_min || kind == NameKind::runs_max || kind == NameKind::runs_spread;
}

bool is_judged(Metric metric) {
  return kMetrics[index_of(metric)].unit != Unit::milliseconds;
}

std::span<const NameInfo> names_of(RuleScope scope) {
  static const std::vector<NameInfo> of_stage = stage_names();
  static const std::vector<NameInfo> of_run = run_names();
  return scope == RuleScope::stage ? of_stage : of_run;
}

const NameInfo* find_name(RuleScope scope, std::string_view name) {
  const auto names = names_of(scope);
  const auto found = std::find_if(names.begin(), names.end(), [&](const NameInfo& info) { return info.name == name; });
  return found == names.end() ? nullptr : &*found;
}

double value_of(const NameInfo& name, const Subject& subject) {
  const Stage& stage = *subject.stage;
  switch (name.kind) {
    case NameKind::statistic:
      return statistic_of(stage.metrics[index_of(name.metric)], name.statistic);
    case NameKind::wasted:
      return known(stage.wasted[index_of(name.metric)]);
    case NameKind::baseline_sum:
      return subject.accepted == nullptr ? known(std::optional<Seen>()) : known(subject.accepted->totals[index_of(name.metric)]);
    case NameKind::tasks:
      return static_cast<double>(stage.tasks);
    case NameKind::failed:
      return static_cast<double>(stage.failed);
    case NameKind::killed:
      return static_cast<double>(stage.killed);
    case NameKind::attempts:
      return static_cast<double>(stage.attempts);
    case NameKind::cores:
      return known(stage.cores);
    case NameKind::baseline_tasks:
      return known(subject.accepted == nullptr ? std::nullopt : std::optional(subject.accepted->tasks));
    case NameKind::stages:
      return static_cast<double>(subject.stages);
    case NameKind::runs:
    case NameKind::runs_min:
    case NameKind::runs_max:
    case NameKind::runs_spread:
      return runs_of(name, stage);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

Stage sums_of(std::span<const Stage> stages) {
  Stage sums;
  for (const auto& stage : stages) {
    sums.tasks = saturating_add(sums.tasks, stage.tasks);
    sums.failed = saturating_add(sums.failed, stage.failed);
    sums.killed = saturating_add(sums.killed, stage.killed);
    sums.attempts = saturating_add(sums.attempts, stage.attempts);
    for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
      add_metric(sums, stage, metric);
    }
  }
  return sums;
}

}  // namespace stagegate
