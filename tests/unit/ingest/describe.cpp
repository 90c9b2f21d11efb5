#include "unit/ingest/describe.h"

#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace stagegate {
namespace {

template <typename T>
std::string text(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "-";
}

std::string text(const PerMetric<std::int64_t>& values) {
  std::string all;
  for (const auto& value : values) {
    all += text(value) + " ";
  }
  return all;
}

std::string text(const std::optional<Distribution>& value) {
  return value ? fmt::format("{}/{}/{}/{}/{}/{}/{}", value->count, value->min, value->p25.quarters, value->median.quarters,
                             value->p75.quarters, value->max, value->sum)
               : "-";
}

std::string text(const RddInfo& rdd) {
  return fmt::format("    rdd {} {} {} {} {} {} {} {} {} {}\n", rdd.id, rdd.name, rdd.scope_name, rdd.call_site, rdd.parents, rdd.persisted,
                     rdd.partitions, rdd.cached_partitions, rdd.memory_bytes, rdd.disk_bytes);
}

// What a source was not asked for is empty, and takes no line.
std::string text(std::string_view name, const PackedColumn& column) {
  return column.empty() ? "" : fmt::format("    {} {}\n", name, column.values());
}

std::string text(const TaskFailure& failure) {
  return fmt::format("    failure {} {} {} {} {} {}\n", failure.reason, failure.error_class, failure.message, failure.count,
                     failure.first_partition, failure.first_executor);
}

std::string text(const StageAttempt& stage) {
  auto all =
      fmt::format("stage {}.{} {} {} {} failure {} jobs {} group {} description {} sql {} times {} {} cores {} parents {} profile {}\n",
                  stage.id, stage.attempt, stage.name, stage.details, to_string(stage.status), text(stage.failure_reason), stage.jobs,
                  text(stage.group), text(stage.description), text(stage.sql_execution), text(stage.submitted_ms), text(stage.completed_ms),
                  text(stage.cores), stage.parents, stage.resource_profile);
  for (const auto& rdd : stage.rdds) {
    all += text(rdd);
  }
  all += fmt::format("    accumulators {}\n    tasks {} {} {} {} {}\n    partitions {}\n", stage.accumulators, stage.tasks.declared,
                     stage.tasks.succeeded, stage.tasks.failed, stage.tasks.killed, stage.tasks.speculative,
                     stage.winners.partitions.values());
  for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
    all += fmt::format("    {} {} {}\n", kMetrics[metric].name, stage.winners.metrics[metric].values(), text(stage.distributions[metric]));
  }
  for (std::size_t detail = 0; detail < kTaskDetailCount; ++detail) {
    all += text(kTaskDetails[detail].name, stage.winners.details[detail]);
  }
  all += text("task ids", stage.winners.task_ids) + text("attempts", stage.winners.attempt_numbers) +
         text("launched", stage.winners.launched_ms) + text("places", stage.winners.places);
  for (const auto& failure : stage.failures) {
    all += text(failure);
  }
  return all +
         fmt::format("    other failures {}\n    totals {}\n    wasted {}\n", stage.other_failures, text(stage.totals), text(stage.wasted));
}

std::string text(const Plan& nodes) {
  std::string all;
  for (const auto& node : nodes) {
    all += fmt::format("    node {} {} {} {}\n", node.name, node.simple_string, node.children, node.accumulators);
    for (const auto& entry : node.metadata) {
      all += fmt::format("      {}: {}\n", entry.key, entry.value);
    }
    for (const auto& metric : node.metrics) {
      all += fmt::format("      metric {} {}\n", metric.name, metric.type);
    }
  }
  return all;
}

std::string text(const SqlExecution& execution) {
  return fmt::format("sql {} {} {} {} {} {} {} {} {}\n  plan\n{}  earlier\n{}", execution.id, text(execution.root_id),
                     execution.description, execution.details, text(execution.started_ms), text(execution.ended_ms), text(execution.error),
                     execution.ended, execution.modified_conf, text(execution.plan), text(execution.earlier_nodes));
}

std::string text(const Evidence& evidence) {
  const auto lines = evidence.lines.value_or(LineCounts());
  auto all = fmt::format("evidence {} {} {}\n", lines.all, lines.malformed, lines.unknown_events);
  for (const auto& problem : evidence.problems) {
    all += fmt::format("  {}: {}\n", problem.code, problem.message);
  }
  return all;
}

}  // namespace

std::string describe(const Application& application, EvidencePart evidence) {
  auto all = fmt::format("application {} {} {} {} {} {} cores {}\n{}\n{}\n", text(application.id), text(application.name),
                         text(application.attempt), text(application.spark_version), text(application.start_ms), text(application.end_ms),
                         text(application.cores), application.spark_properties, application.jvm);
  for (const auto& profile : application.resource_profiles) {
    all += fmt::format("profile {} {} {}\n", profile.id, profile.executor, profile.task);
  }
  for (const auto& place : application.places) {
    all += fmt::format("place {} {}\n", place.executor, place.host);
  }
  for (const auto& executor : application.executors) {
    all += fmt::format("executor {} {} {} {} {} {}\n", executor.id, executor.host, executor.cores, executor.added_ms,
                       text(executor.removed_ms), executor.removed_reason);
  }
  for (const auto& job : application.jobs) {
    all += fmt::format("job {} {} {} {} {} {} {} {} {}\n", job.id, static_cast<int>(job.status), text(job.group), text(job.description),
                       text(job.sql_execution), text(job.submitted_ms), text(job.ended_ms), job.error, job.stages);
  }
  for (const auto& stage : application.stages) {
    all += text(stage);
  }
  for (const auto& execution : application.executions) {
    all += text(execution);
  }
  all += fmt::format("metric names {}\n", application.plan_metric_names);
  for (const auto& [id, value] : application.accumulator_values) {
    all += fmt::format("accumulator {} {}\n", id, value);
  }
  all += fmt::format("unpersisted {}\n", application.unpersisted_rdds);
  return evidence == EvidencePart::with ? all + text(application.evidence) : all;
}

}  // namespace stagegate
