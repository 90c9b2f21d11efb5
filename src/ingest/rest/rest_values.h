// What the answers of Spark's REST API say, as values: the parts of the events that a log has in their place, and what only the API says.
// For the field names see status/api/v1/api.scala and status/api/v1/sql/api.scala in Spark's source.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/events.h"
#include "model/application.h"

namespace stagegate {

struct RestAttempt {
  std::optional<std::string> id;  // absent on a live UI, and where the cluster manager counts none
  std::optional<std::int64_t> start_ms;
  std::optional<std::int64_t> end_ms;
  bool completed = false;
  std::optional<std::string> spark_version;  // "" where its log does not say
};

struct RestApplication {
  std::string id;
  std::optional<std::string> name;
  std::vector<RestAttempt> attempts;  // newest first
};

struct RestEnvironment {
  EnvironmentUpdate properties;
  std::vector<ResourceProfile> profiles;  // Spark 3.1 and later
};

struct RestJob {
  JobStart start;  // without stage infos and SQL execution
  JobStatus status = JobStatus::running;
  std::optional<std::int64_t> ended_ms;
  std::int64_t skipped_stages = 0;
};

struct RestStage {
  StageInfo info;
  StageStatus status = StageStatus::unknown;
  std::optional<std::string> description;
  std::optional<std::int64_t> first_launch_ms;
  std::int64_t active = 0;
  std::int64_t succeeded = 0;  // task ends, with those of a partition that has several
  std::int64_t failed = 0;
  std::int64_t killed = 0;
};

struct RestExecution {
  SqlExecutionStart start;
  std::optional<SqlExecutionEnd> end;
  bool failed = false;  // its end says why since Spark 4.2
  std::vector<std::int64_t> jobs;
};

// All that there is to ask for but the tasks.
struct RestFacts {
  RestApplication application;
  RestAttempt attempt;  // the one that is read
  RestEnvironment environment;
  std::vector<RestStage> stages;
  std::vector<RestJob> jobs;
  std::vector<ExecutorInfo> executors;  // in the order of their start
  std::vector<RddInfo> cached;
  std::vector<RestExecution> executions;

  bool has_ended() const { return attempt.completed && attempt.end_ms; }
};

// A row of a task list. The texts of its end are valid as long as the answer is read.
struct RestTask {
  TaskEnd end;
  std::int64_t finish_ms = 0;
  bool ended = false;
};

}  // namespace stagegate
