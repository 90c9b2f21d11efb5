#include "rules/names.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

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

void add_plan(std::vector<NameInfo>& names, NameKind kind, std::string_view prefix) {
  for (const auto& info : kPlanCounts) {
    if (kind == NameKind::plan_count || info.kept) {
      names.push_back({.name = fmt::format("{}{}", prefix, info.name), .kind = kind, .plan = info.count});
    }
  }
}

// Of the metrics that a baseline keeps.
void add_sums(std::vector<NameInfo>& names, NameKind kind, std::string_view prefix) {
  for (const auto& info : kMetrics) {
    if (is_judged(info.metric) && is_kept_in_baseline(info.metric)) {
      names.push_back({.name = fmt::format("{}{}.sum", prefix, info.name), .kind = kind, .unit = unit_of(info), .metric = info.metric});
    }
  }
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
  add_plan(names, NameKind::plan_count, "");
  add_sums(names, NameKind::baseline_sum, "baseline.");
  names.push_back({.name = "baseline.tasks", .kind = NameKind::baseline_tasks});
  add_plan(names, NameKind::baseline_plan_count, "baseline.");
  names.push_back({.name = "is_new", .kind = NameKind::is_new});
  add_sums(names, NameKind::run_sum, "run.");
  add_plan(names, NameKind::run_plan_count, "run.");
  add_sums(names, NameKind::baseline_run_sum, "baseline.run.");
  add_plan(names, NameKind::baseline_run_plan_count, "baseline.run.");
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
  add_plan(names, NameKind::plan_count, "");
  names.push_back({.name = "left_group_actions", .kind = NameKind::left_group_actions});
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

double sum_in(const BaselineStage* accepted, Metric metric) {
  return accepted == nullptr ? known(std::optional<Seen>()) : known(accepted->totals[index_of(metric)]);
}

double count_in(const BaselineStage* accepted, PlanCount count) {
  return known(accepted == nullptr ? std::optional<std::int64_t>() : accepted->plan[index_of(count)]);
}

double left_group_actions(const RunFacts* facts) {
  if (facts == nullptr || !facts->ended) {
    return known(std::optional<std::int64_t>());
  }
  return facts->left_group ? static_cast<double>(facts->left_group->actions) : 0;
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

bool is_of_baseline(NameKind kind) {
  constexpr std::array kinds{NameKind::baseline_sum,     NameKind::baseline_tasks,          NameKind::baseline_plan_count,
                             NameKind::baseline_run_sum, NameKind::baseline_run_plan_count, NameKind::is_new};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

double value_of(const NameInfo& name, const Subject& subject) {
  const Stage& stage = *subject.stage;
  switch (name.kind) {
    case NameKind::statistic:
      return statistic_of(stage.metrics[index_of(name.metric)], name.statistic);
    case NameKind::wasted:
      return known(stage.wasted[index_of(name.metric)]);
    case NameKind::baseline_sum:
      return sum_in(subject.accepted, name.metric);
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
    case NameKind::plan_count:
      return known(stage.plan.counts[index_of(name.plan)]);
    case NameKind::baseline_plan_count:
      return count_in(subject.accepted, name.plan);
    case NameKind::run_sum:
      return statistic_of(subject.run == nullptr ? std::nullopt : subject.run->metrics[index_of(name.metric)], Statistic::sum);
    case NameKind::run_plan_count:
      return known(subject.run == nullptr ? std::nullopt : subject.run->plan.counts[index_of(name.plan)]);
    case NameKind::baseline_run_sum:
      return sum_in(subject.accepted_run, name.metric);
    case NameKind::baseline_run_plan_count:
      return count_in(subject.accepted_run, name.plan);
    case NameKind::is_new:
      return subject.accepted_run == nullptr ? known(std::optional<std::int64_t>()) : static_cast<double>(subject.accepted == nullptr);
    case NameKind::left_group_actions:
      return left_group_actions(subject.facts);
    case NameKind::runs:
    case NameKind::runs_min:
    case NameKind::runs_max:
    case NameKind::runs_spread:
      return runs_of(name, stage);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace stagegate
