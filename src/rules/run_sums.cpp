#include "rules/run_sums.h"

#include <cstddef>

#include "base/saturating.h"
#include "model/metric_sums.h"

namespace stagegate {
namespace {

// A count of those that have it.
void add_counts(PlanCounts& sums, const PlanCounts& counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i]) {
      sums[i] = saturating_add(sums[i].value_or(0), *counts[i]);
    }
  }
}

Seen sum_of(const Seen& a, const Seen& b) {
  return {saturating_add(a.least, b.least), saturating_add(a.most, b.most)};
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
    add_counts(sums.plan.counts, stage.plan.counts);
  }
  return sums;
}

BaselineStage accepted_sums_of(std::span<const BaselineStage> stages) {
  BaselineStage sums;
  for (const auto& stage : stages) {
    sums.tasks = sum_of(sums.tasks, stage.tasks);
    for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
      if (stage.totals[metric]) {
        sums.totals[metric] = sum_of(sums.totals[metric].value_or(0), *stage.totals[metric]);
      }
    }
    add_counts(sums.plan, stage.plan);
  }
  return sums;
}

}  // namespace stagegate
