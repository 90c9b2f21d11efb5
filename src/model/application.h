// What one Spark application left behind: the values that every source (event log, REST API) is read into, and that
// everything after it works on.
//
// Memory: a task that succeeded is a row of packed columns (TaskColumns): 1 to 4 bytes for each number that differs from task to task,
// nothing for those that do not, about 25 bytes with the metrics that are judged and about 60 with all of them. Other tasks are only
// counted and added up.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/distribution.h"
#include "model/metric.h"
#include "model/packed_column.h"
#include "model/plan.h"
#include "model/task_detail.h"

namespace stagegate {

enum class StageStatus : std::uint8_t { complete, failed, active, skipped, pending, unknown };

// "COMPLETE", "FAILED", ...: the names of the JSON contract.
std::string_view to_string(StageStatus status);

struct TaskCounts {
  std::int64_t declared = 0;     // `Number of Tasks` of the stage
  std::int64_t succeeded = 0;    // distinct partitions with a valid success
  std::int64_t failed = 0;       // task ends that are neither Success nor killed, `Resubmitted` included
  std::int64_t killed = 0;       // `TaskKilled` and `TaskCommitDenied`
  std::int64_t speculative = 0;  // task ends of speculative copies, whatever their end
};

// How much of each task a source reads and keeps: what is judged and summed up, or the details that explain it too.
enum class TaskDepth : std::uint8_t { judged, all };

// The winners of a stage attempt, one row a partition, in columns: row i of each column is the same task. All that is there has as many
// rows as `partitions`; a metric's column is empty where no task of the attempt has the metric, and 0 where only some have it. The last
// four, and the details, are empty unless the source was asked for them.
struct TaskColumns {
  PackedColumn partitions;
  std::array<PackedColumn, kMetricCount> metrics;
  std::array<PackedColumn, kTaskDetailCount> details;
  PackedColumn task_ids;
  PackedColumn attempt_numbers;  // of the task, from 0
  PackedColumn launched_ms;
  PackedColumn places;  // indices into Application::places

  std::size_t rows() const { return partitions.size(); }
};

// Where a task ran.
struct TaskPlace {
  std::string executor;
  std::string host;

  friend bool operator==(const TaskPlace&, const TaskPlace&) = default;
};

// Tasks of one attempt that ended alike, without success: messages that differ in numbers only count as one, and the first is kept.
struct TaskFailure {
  std::string reason;       // Spark's end reason: "ExceptionFailure", "FetchFailed", "TaskKilled", ...
  std::string error_class;  // of an ExceptionFailure
  std::string message;      // the line of the error that says what happened (base/error_text.h)
  std::int64_t count = 0;
  std::int32_t first_partition = 0;
  std::string first_executor;
};

// An RDD as the last event that names it has it.
struct RddInfo {
  std::int64_t id = 0;
  std::string name;
  std::string scope_name;  // "" where it has no scope
  std::string call_site;
  std::vector<std::int64_t> parents;
  bool persisted = false;  // has a storage level: its blocks are to be cached
  std::int64_t partitions = 0;
  std::int64_t cached_partitions = 0;
  std::int64_t memory_bytes = 0;  // of the cached blocks
  std::int64_t disk_bytes = 0;
};

struct StageAttempt {
  std::int32_t id = 0;
  std::int32_t attempt = 0;
  std::string name;  // Spark's: the call site
  std::string details;
  StageStatus status = StageStatus::unknown;
  std::optional<std::string> failure_reason;
  std::vector<std::int64_t> jobs;          // ascending
  std::optional<std::string> group;        // spark.jobGroup.id
  std::optional<std::string> description;  // spark.job.description
  std::optional<std::int64_t> sql_execution;
  std::optional<std::int64_t> submitted_ms;
  std::optional<std::int64_t> completed_ms;
  std::optional<std::int64_t> cores;       // Spark's defaultParallelism when the stage was submitted
  std::vector<std::int64_t> parents;       // stage ids, as the stage info lists them (under adaptive execution: copies that never ran)
  std::vector<RddInfo> rdds;               // the stage's own RDD first
  std::vector<std::int64_t> accumulators;  // ids that the stage or its tasks updated, ascending: the way to the plan's nodes
  TaskCounts tasks;
  TaskColumns winners;
  PerMetric<std::int64_t> totals;         // over winners; absent where no winner has the metric
  PerMetric<std::int64_t> wasted;         // all other task ends with metrics
  PerMetric<Distribution> distributions;  // over winners
  std::vector<TaskFailure> failures;      // of the tasks without success, most frequent first; at most kMaxTaskFailures
  std::int64_t other_failures = 0;        // task ends behind the last of these
  std::int64_t resource_profile = 0;
};

inline constexpr std::size_t kMaxTaskFailures = 16;

// Whether any of its tasks could have run: skipped and pending ones have only been listed.
bool ran(const StageAttempt& attempt);

enum class JobStatus : std::uint8_t { succeeded, failed, running };

struct Job {
  std::int64_t id = 0;
  JobStatus status = JobStatus::running;
  std::optional<std::string> group;
  std::optional<std::string> description;
  std::optional<std::int64_t> sql_execution;
  std::optional<std::int64_t> submitted_ms;
  std::optional<std::int64_t> ended_ms;
  std::string error;                 // the first line of what it failed with
  std::vector<std::int64_t> stages;  // ascending, skipped ones included
};

struct AccumulatorValue {
  std::int64_t id = 0;
  std::int64_t value = 0;

  friend bool operator==(const AccumulatorValue&, const AccumulatorValue&) = default;
};

struct SqlExecution {
  std::int64_t id = 0;
  std::optional<std::int64_t> root_id;
  std::string description;
  std::string details;
  std::optional<std::int64_t> started_ms;
  std::optional<std::int64_t> ended_ms;
  std::optional<std::string> error;  // "" or absent: it succeeded, or the source does not say
  bool ended = false;
  std::map<std::string, std::string> modified_conf;
  Plan plan;           // the final one; of the last adaptive update
  Plan earlier_nodes;  // nodes of superseded plans that carry metrics, so that every accumulator finds its node; they have no children
};

struct ExecutorInfo {
  std::string id;
  std::string host;
  std::int64_t cores = 0;
  std::int64_t added_ms = 0;
  std::optional<std::int64_t> removed_ms;
  std::string removed_reason;
};

// Why evidence is not whole. The code is an interface ("tasks-missing"), the message a sentence with its numbers, the advice what to do.
struct EvidenceProblem {
  std::string code;
  std::string message;
  std::string advice = {};
};

struct LineCounts {
  std::int64_t all = 0;
  std::int64_t malformed = 0;
  std::int64_t unknown_events = 0;
};

struct Evidence {
  std::vector<EvidenceProblem> problems;  // empty: complete
  std::optional<LineCounts> lines;        // of an event log

  bool complete() const { return problems.empty(); }
};

// What executors of a stage are asked for.
struct ResourceProfile {
  std::int64_t id = 0;
  std::map<std::string, std::string> executor;  // "cores": "4", "memory": "8192", "gpu": "1"
  std::map<std::string, std::string> task;
};

struct Application {
  std::optional<std::string> id;
  std::optional<std::string> name;
  std::optional<std::string> attempt;
  std::optional<std::string> spark_version;
  std::optional<std::int64_t> start_ms;
  std::optional<std::int64_t> end_ms;
  std::optional<std::int64_t> cores;                    // of the last stage that was submitted
  std::map<std::string, std::string> spark_properties;  // effective, as the environment event has them; redacted ones stay redacted
  std::map<std::string, std::string> jvm;               // "Java Version", "Scala Version", ...
  std::vector<ResourceProfile> resource_profiles;       // in the order of their making
  std::vector<ExecutorInfo> executors;                  // in the order of their start
  std::vector<TaskPlace> places;                        // where tasks ran, if it was asked for
  std::vector<Job> jobs;                                // by id
  std::vector<StageAttempt> stages;                     // by (id, attempt); skipped and pending ones too
  std::vector<SqlExecution> executions;                 // by id
  std::vector<std::string> plan_metric_names;           // the first is "", for those beyond what a PlanMetric can count
  std::vector<AccumulatorValue> accumulator_values;     // of SQL metrics, by id: what they had reached at the end
  std::vector<std::int64_t> unpersisted_rdds;           // in the order of the events
  Evidence evidence;
};

// The attempts of a stage, ascending.
std::vector<const StageAttempt*> attempts_of(const Application& application, std::int32_t stage);

}  // namespace stagegate
