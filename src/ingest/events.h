// The events of a Spark event log that stagegate uses, each with what is used of it. Names are Spark's; see JsonProtocol and
// SQLListener in Spark's source for the keys.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/saturating.h"
#include "model/application.h"
#include "model/metric.h"

namespace stagegate {

struct LogStart {
  std::string spark_version;
};

struct ApplicationStart {
  std::optional<std::string> name;
  std::optional<std::string> id;
  std::optional<std::string> attempt;
  std::optional<std::int64_t> time_ms;
};

struct ApplicationEnd {
  std::optional<std::int64_t> time_ms;
};

struct EnvironmentUpdate {
  std::map<std::string, std::string> spark_properties;
  std::map<std::string, std::string> jvm;
};

struct ResourceProfileAdded {
  ResourceProfile profile;
};

struct ExecutorAdded {
  ExecutorInfo executor;
};

struct ExecutorRemoved {
  std::string id;
  std::int64_t time_ms = 0;
  std::string reason;
};

struct StageInfo {
  std::int32_t id = 0;
  std::int32_t attempt = 0;
  std::string name;
  std::string details;
  std::int64_t declared_tasks = 0;
  std::vector<RddInfo> rdds;  // the stage's own first, the rest by id
  std::vector<std::int64_t> parents;
  std::optional<std::int64_t> submitted_ms;
  std::optional<std::int64_t> completed_ms;
  std::optional<std::string> failure_reason;
  std::vector<std::int64_t> accumulators;  // without Spark's internal ones
  std::vector<AccumulatorValue> values;    // of those that are SQL metrics; they run on from stage to stage
  std::int64_t resource_profile = 0;
};

// What the author said about the work, from the properties of a job or a stage.
struct Labels {
  std::optional<std::string> group;
  std::optional<std::string> description;
  std::optional<std::int64_t> sql_execution;
};

struct JobStart {
  std::int64_t id = 0;
  std::optional<std::int64_t> time_ms;
  std::vector<StageInfo> stage_infos;
  std::vector<std::int64_t> stage_ids;
  Labels labels;
};

struct JobEnd {
  std::int64_t id = 0;
  bool succeeded = false;
  std::optional<std::int64_t> time_ms;
  std::string error;  // the first line
};

struct StageSubmitted {
  StageInfo stage;
  Labels labels;
};

struct StageCompleted {
  StageInfo stage;
};

enum class TaskEndKind : std::uint8_t {
  success,
  resubmitted,  // a success that was lost with its executor
  killed,       // TaskKilled, TaskCommitDenied
  failed,
};

// The numbers of one task, metrics first, then details; those whose bit is not set are not there, and 0.
struct TaskNumbers {
  static constexpr std::size_t kCount = kMetricCount + kTaskDetailCount;
  static constexpr std::uint64_t bit(std::size_t number) { return std::uint64_t{1} << number; }

  std::array<std::int64_t, kCount> values{};
  std::uint64_t present = 0;

  bool has(std::size_t number) const { return (present & bit(number)) != 0; }
  // Several parts of one number add up.
  void add(std::size_t number, std::int64_t value) {
    values[number] = saturating_add(values[number], value);
    present |= bit(number);
  }
  void add(Metric metric, std::int64_t value) { add(index_of(metric), value); }
  void add(TaskDetail detail, std::int64_t value) { add(kMetricCount + index_of(detail), value); }
};
static_assert(TaskNumbers::kCount <= 64);

// The texts are valid until the next line is parsed.
struct TaskEnd {
  std::int32_t stage = 0;
  std::int32_t attempt = 0;
  std::int32_t partition = 0;
  std::int32_t attempt_number = 0;
  std::int64_t task_id = -1;  // -1: not said
  std::int64_t launched_ms = 0;
  TaskEndKind kind = TaskEndKind::failed;
  bool speculative = false;
  std::string_view executor;
  std::string_view host;
  std::string_view reason;       // Spark's end reason
  std::string_view error_class;  // of an ExceptionFailure
  std::string_view error;        // the first line
  TaskNumbers numbers;
};

// Driver side values of SQL metrics.
struct DriverAccumulatorUpdates {
  std::vector<AccumulatorValue> values;
};

struct UnpersistRdd {
  std::int64_t id = 0;
};

// A plan as an event has it, with the names of its metrics, which PlanMetric points into.
struct EventPlan {
  Plan nodes;
  std::vector<std::string> metric_names;
  std::vector<std::int64_t> accumulators;  // of all nodes, each once, ascending
};

// Of all nodes, each once, ascending.
std::vector<std::int64_t> accumulators_of(const Plan& nodes);

struct SqlExecutionStart {
  std::int64_t id = 0;
  std::optional<std::int64_t> root_id;
  std::string description;
  std::string details;
  std::optional<std::int64_t> time_ms;
  std::map<std::string, std::string> modified_conf;
  EventPlan plan;
};

struct SqlAdaptiveUpdate {
  std::int64_t id = 0;
  EventPlan plan;
};

// Metrics that came into being with the new plan of a subquery; the event does not say of which node.
struct SqlAdaptiveMetrics {
  std::int64_t id = 0;
  std::vector<std::int64_t> accumulators;
};

struct SqlExecutionEnd {
  std::int64_t id = 0;
  std::optional<std::int64_t> time_ms;
  std::optional<std::string> error;
};

using Event = std::variant<LogStart, ApplicationStart, ApplicationEnd, EnvironmentUpdate, ResourceProfileAdded, ExecutorAdded,
                           ExecutorRemoved, JobStart, JobEnd, StageSubmitted, StageCompleted, TaskEnd, SqlExecutionStart, SqlAdaptiveUpdate,
                           SqlAdaptiveMetrics, DriverAccumulatorUpdates, SqlExecutionEnd, UnpersistRdd>;

}  // namespace stagegate
