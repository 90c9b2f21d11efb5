#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "baseline/baseline_format.h"
#include "baseline/judge.h"
#include "baseline/kept_conf.h"

namespace stagegate {
namespace {

// The nodes of a plan that read a cached table, and those that read from outside.
enum class Reads : std::uint8_t { cache, source, neither };

Reads reads_of(const PlanNode& node) {
  const std::string_view name = node.name;
  if (name.find("InMemoryTableScan") != std::string_view::npos || name.find("In-memory table") != std::string_view::npos) {
    return Reads::cache;
  }
  return name.find("Scan") != std::string_view::npos || name.starts_with("Range") ? Reads::source : Reads::neither;
}

bool updated(std::span<const StageAttempt* const> attempts, const PlanNode& node) {
  return std::any_of(node.accumulators.begin(), node.accumulators.end(), [&](std::int64_t id) {
    return std::any_of(attempts.begin(), attempts.end(), [&](const StageAttempt* attempt) {
      return std::binary_search(attempt->accumulators.begin(), attempt->accumulators.end(), id);
    });
  });
}

// A cached table counts the batches it is read in as records, which say nothing of the data.
bool reads_cache_only(const Application& application, const Stage& stage) {
  const auto execution = std::find_if(application.executions.begin(), application.executions.end(),
                                      [&](const SqlExecution& candidate) { return stage.sql_execution == candidate.id; });
  if (execution == application.executions.end()) {
    return false;
  }
  const auto attempts = attempts_of(application, stage.id);
  const auto reads = [&](Reads what) {
    return std::any_of(execution->plan.begin(), execution->plan.end(),
                       [&](const PlanNode& node) { return reads_of(node) == what && updated(attempts, node); });
  };
  return reads(Reads::cache) && !reads(Reads::source);
}

Conditions conditions_of(const JobVariant& job_variant, const Application& application, std::span<const Stage> stages) {
  Conditions conditions{.spark = major_minor(application.spark_version.value_or("")),
                        .cores = application.cores,
                        .conf = kept_conf(job_variant),
                        .source_records = {}};
  for (const auto& stage : stages) {
    const auto& records = stage.metrics[index_of(Metric::input_records)];
    if (records && records->sum > 0 && !reads_cache_only(application, stage)) {
      conditions.source_records.emplace(stage.key.label, records->sum);
    }
  }
  return conditions;
}

// Where it was not the same in each of several runs.
std::optional<std::int64_t> least_of(const Finding& finding) {
  const bool varies = finding.runs > 1 && finding.least_thousandths != finding.value_thousandths;
  return varies ? std::optional(finding.least_thousandths) : std::nullopt;
}

BaselineFinding kept(const Finding& finding) {
  return {.rule = finding.rule,
          .stage_label = finding.stage_label,
          .stage_fingerprint = finding.stage_fingerprint,
          .value_thousandths = finding.value_thousandths,
          .unit = finding.unit,
          .least_thousandths = least_of(finding)};
}

}  // namespace

Baseline make_baseline(const JobVariant& job_variant, const Application& application, std::span<const Stage> stages,
                       std::span<const Finding> findings) {
  Baseline baseline{.job = job_variant.job,
                    .variant = job_variant.variant,
                    .conditions = conditions_of(job_variant, application, stages),
                    .findings = {},
                    .stages = {}};
  for (const auto& finding : findings) {
    if (can_be_accepted(finding)) {
      baseline.findings.push_back(kept(finding));
    }
  }
  for (const auto& stage : stages) {
    baseline.stages.push_back(kept_of(stage));
  }
  sort_baseline(baseline);
  return baseline;
}

}  // namespace stagegate
