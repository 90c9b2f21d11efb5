#include "model/baseline.h"

#include "base/text.h"

namespace stagegate {

bool is_kept_in_baseline(Metric metric) {
  switch (metric) {
    case Metric::output_bytes:
    case Metric::shuffle_read_bytes:
    case Metric::shuffle_write_bytes:
    case Metric::input_records:
    case Metric::output_records:
    case Metric::shuffle_read_records:
    case Metric::shuffle_write_records:
      return true;
    case Metric::input_bytes:         // vectored reads of newer versions are not counted by Spark
    case Metric::memory_spill_bytes:  // the heap decides
    case Metric::disk_spill_bytes:
    case Metric::duration_ms:
      return false;
  }
  return false;
}

BaselineStage kept_of(const Stage& stage) {
  if (stage.repeats) {
    return {.key = stage.key, .tasks = stage.repeats->tasks, .totals = stage.repeats->totals};
  }
  BaselineStage result{.key = stage.key, .tasks = stage.tasks, .totals = {}};
  for (const auto& info : kMetrics) {
    const auto& distribution = stage.metrics[index_of(info.metric)];
    if (distribution && is_kept_in_baseline(info.metric)) {
      result.totals[index_of(info.metric)] = distribution->sum;
    }
  }
  for (const auto& info : kPlanCounts) {
    if (info.kept) {
      result.plan[index_of(info.count)] = stage.plan.counts[index_of(info.count)];
    }
  }
  return result;
}

void leave_out_across_versions(std::span<BaselineStage> stages) {
  for (auto& stage : stages) {
    stage.totals[index_of(Metric::output_bytes)].reset();
  }
}

std::string major_minor(std::string_view spark_version) {
  const auto parts = split(spark_version, '.');
  return parts.size() < 2 ? std::string(spark_version) : parts[0] + "." + parts[1].substr(0, parts[1].find_first_not_of("0123456789"));
}

}  // namespace stagegate
