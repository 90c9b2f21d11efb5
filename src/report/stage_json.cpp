// `stagegate report --stage ID --format json`: the schema stagegate.stage/1. Member names and their order are an interface.
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "report/json_parts.h"
#include "report/stage_view.h"

namespace stagegate {
namespace {

json::array neighbours_json(const std::vector<NeighbourView>& neighbours) {
  json::array array;
  for (const auto& neighbour : neighbours) {
    array.push_back(json::object{{"id", neighbour.id}, {"label", text_or_null(neighbour.label)}});
  }
  return array;
}

json::object stage_json(const StageView& view) {
  return {
      {"id", view.id},
      {"label", text_or_null(view.key.label)},
      {"fingerprint", text_or_null(view.key.fingerprint)},
      {"reads_from", neighbours_json(view.reads_from)},
      {"read_by", neighbours_json(view.read_by)},
  };
}

std::string_view unit_name(DetailUnit unit) {
  switch (unit) {
    case DetailUnit::bytes:
      return "bytes";
    case DetailUnit::count:
      return "count";
    case DetailUnit::milliseconds:
      return "ms";
    case DetailUnit::nanoseconds:
      return "ns";
  }
  return {};
}

json::object metrics_json(const std::vector<Spread>& spreads) {
  json::object metrics;
  for (const auto& [name, unit, values, buckets] : spreads) {
    metrics[name] = json::object{
        {"unit", unit_name(unit)},
        {"tasks", values.count},
        {"min", values.min},
        {"p25", number_json(values.p25)},
        {"median", number_json(values.median)},
        {"p75", number_json(values.p75)},
        {"max", values.max},
        {"sum", values.sum},
        {"buckets", buckets.empty() ? json::value(nullptr) : json::value(json::array(buckets.begin(), buckets.end()))},
    };
  }
  return metrics;
}

json::object wasted_json(const StageAttempt& attempt) {
  json::object wasted;
  for (const auto& info : kMetrics) {
    if (const auto value = attempt.wasted[index_of(info.metric)]) {
      wasted[info.name] = *value;
    }
  }
  return wasted;
}

json::value largest_json(const LargeTasks& largest) {
  if (largest.tasks.empty()) {
    return nullptr;
  }
  json::array tasks;
  for (const auto& task : largest.tasks) {
    tasks.push_back(json::object{
        {"partition", task.partition},
        {"task_id", or_null(task.task_id)},
        {"task_attempt", or_null(task.attempt_number)},
        {"executor", task.place == nullptr ? json::value(nullptr) : json::value(task.place->executor)},
        {"host", task.place == nullptr ? json::value(nullptr) : json::value(task.place->host)},
        {"value", task.value},
        {"records", or_null(task.records)},
        {"duration_ms", or_null(task.duration_ms)},
    });
  }
  return json::object{{"by", kMetrics[index_of(largest.by)].name}, {"median", number_json(largest.median)}, {"tasks", std::move(tasks)}};
}

json::array failures_json(const StageAttempt& attempt) {
  json::array failures;
  for (const auto& failure : attempt.failures) {
    failures.push_back(json::object{
        {"reason", failure.reason},
        {"class", text_or_null(failure.error_class)},
        {"message", text_or_null(failure.message)},
        {"count", failure.count},
        {"first_partition", failure.first_partition},
        {"first_executor", text_or_null(failure.first_executor)},
    });
  }
  return failures;
}

json::array operators_json(const std::vector<StageOperator>& operators) {
  json::array array;
  for (const auto& item : operators) {
    json::array metrics;
    for (const auto& metric : item.metrics) {
      metrics.push_back(json::object{{"name", metric.name}, {"type", metric.type}, {"value", metric.value}});
    }
    array.push_back(json::object{
        {"name", item.node->name}, {"text", item.node->simple_string}, {"sql_execution", item.execution}, {"metrics", std::move(metrics)}});
  }
  return array;
}

// Spark 2 and later log 0 whatever is cached.
json::value or_unknown(std::int64_t value) {
  return value > 0 ? json::value(value) : json::value(nullptr);
}

json::array cached_json(const Application& application, const StageAttempt& attempt) {
  const auto& unpersisted = application.unpersisted_rdds;
  json::array rdds;
  for (const auto& rdd : attempt.rdds) {
    if (rdd.persisted) {
      rdds.push_back(json::object{
          {"id", rdd.id},
          {"name", rdd.name},
          {"partitions", rdd.partitions},
          {"cached_partitions", or_unknown(rdd.cached_partitions)},
          {"memory_bytes", or_unknown(rdd.memory_bytes)},
          {"disk_bytes", or_unknown(rdd.disk_bytes)},
          {"unpersisted", std::find(unpersisted.begin(), unpersisted.end(), rdd.id) != unpersisted.end()},
      });
    }
  }
  return rdds;
}

json::object texts_json(const std::map<std::string, std::string>& texts) {
  json::object object;
  for (const auto& [name, value] : texts) {
    object[name] = value;
  }
  return object;
}

json::object profile_json(const AttemptView& view) {
  return {
      {"id", view.attempt->resource_profile},
      {"executor", view.profile == nullptr ? json::value(nullptr) : json::value(texts_json(view.profile->executor))},
      {"task", view.profile == nullptr ? json::value(nullptr) : json::value(texts_json(view.profile->task))},
  };
}

json::object attempt_view_json(const StageView& view, const AttemptView& shown) {
  const auto& attempt = *shown.attempt;
  auto object = attempt_json(attempt, view.key);
  object["submitted_ms"] = or_null(attempt.submitted_ms);
  object["completed_ms"] = or_null(attempt.completed_ms);
  object["cores"] = or_null(attempt.cores);
  object["metrics"] = metrics_json(shown.spreads);
  object["wasted_totals"] = wasted_json(attempt);
  object["largest_tasks"] = largest_json(shown.largest);
  object["failures"] = failures_json(attempt);
  object["other_failures"] = attempt.other_failures;
  object["operators"] = operators_json(shown.operators);
  object["cached_rdds"] = cached_json(*view.application, attempt);
  object["resource_profile"] = profile_json(shown);
  return object;
}

}  // namespace

std::string render_stage_json(const StageView& view) {
  json::array attempts;
  for (const auto& attempt : view.attempts) {
    attempts.push_back(attempt_view_json(view, attempt));
  }
  json::array findings;
  for (const auto& finding : view.findings) {
    auto object = finding_json(finding, view.last().attempt);
    object["advice"] = finding.advice;
    findings.push_back(std::move(object));
  }
  return write_document({
      {"schema", "stagegate.stage/1"},
      {"application", application_json(*view.application)},
      {"evidence", evidence_json(view.application->evidence)},
      {"stage", stage_json(view)},
      {"attempts", std::move(attempts)},
      {"findings", std::move(findings)},
  });
}

}  // namespace stagegate
