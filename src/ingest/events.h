// The events of a Spark event log that stagegate uses, each with what is used of it. Names are Spark's; see JsonProtocol and
// SQLListener in Spark's source for the keys.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

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

// The metrics of one task; those whose bit is not set are not there.
struct TaskMetrics {
  std::array<std::int64_t, kMetricCount> values{};
  std::uint16_t present = 0;

  bool has(std::size_t metric) const { return has(present, metric); }
  static bool has(unsigned present, std::size_t metric) { return (present >> metric & 1U) != 0; }
  // Several parts of one metric add up, at most to the largest 64-bit integer.
  void add(Metric metric, std::int64_t value) {
    auto& sum = values[index_of(metric)];
    if (__builtin_add_overflow(sum, value, &sum)) {
      sum = std::numeric_limits<std::int64_t>::max();
    }
    present = static_cast<std::uint16_t>(present | 1U << index_of(metric));
  }
};
static_assert(kMetricCount <= 16);

struct TaskEnd {
  std::int32_t stage = 0;
  std::int32_t attempt = 0;
  std::int32_t partition = 0;
  TaskEndKind kind = TaskEndKind::failed;
  bool speculative = false;
  TaskMetrics metrics;
};

struct SqlExecutionStart {
  std::int64_t id = 0;
  std::optional<std::int64_t> root_id;
  std::string description;
  std::string details;
  std::optional<std::int64_t> time_ms;
  std::map<std::string, std::string> modified_conf;
  std::vector<PlanNode> plan;  // root first
};

struct SqlAdaptiveUpdate {
  std::int64_t id = 0;
  std::vector<PlanNode> plan;
};

// Metrics that came into being with the new plan of a subquery; the event does not say of which node.
struct SqlAdaptiveMetrics {
  std::int64_t id = 0;
  std::vector<std::int64_t> accumulators;
};

struct SqlExecutionEnd {
  std::int64_t id = 0;
  std::optional<std::string> error;
};

using Event =
    std::variant<LogStart, ApplicationStart, ApplicationEnd, EnvironmentUpdate, ExecutorAdded, ExecutorRemoved, JobStart, JobEnd,
                 StageSubmitted, StageCompleted, TaskEnd, SqlExecutionStart, SqlAdaptiveUpdate, SqlAdaptiveMetrics, SqlExecutionEnd>;

}  // namespace stagegate
