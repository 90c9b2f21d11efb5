// Lines of an event log as Spark writes them, with the fields that a test is about.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/application.h"

namespace stagegate {

struct TaskLine {
  int stage = 0;
  int attempt = 0;
  int index = 0;
  std::optional<int> partition = std::nullopt;  // absent: as before Spark 3.3
  std::string reason = "Success";
  bool speculative = false;
  std::int64_t launch_ms = 1000;
  std::int64_t finish_ms = 2000;
  std::optional<std::int64_t> shuffle_read = 0;  // remote and local halves of it; absent: no such group
  std::optional<std::int64_t> input = std::nullopt;
  bool has_metrics = true;
  std::string message = {};                       // the description of its end reason, as JSON has it
  std::optional<std::int64_t> id = std::nullopt;  // of the task; absent: as no Spark writes it, so that tests need not count
};

std::string task_end(const TaskLine& task);

struct StageLine {
  int id = 0;
  int attempt = 0;
  int tasks = 1;
  std::optional<std::int64_t> submitted_ms = 500;
  std::string failure_reason = {};
  std::string more = {};        // further members of the stage info, with a comma in front
  std::string properties = {};  // members of the properties of its submission
};

std::string stage_info(const StageLine& stage);
std::string stage_submitted(const StageLine& stage);
std::string stage_completed(const StageLine& stage);

std::string job_start(int id, const std::vector<StageLine>& stages, const std::string& properties = {});
std::string job_end(int id, const std::string& result = "JobSucceeded");

std::string log_start(const std::string& version = "4.1.1");
std::string environment(const std::string& spark_properties);
std::string application_start();
std::string application_end();
std::string executor_added(const std::string& id, int cores);
std::string executor_removed(const std::string& id);

// Each with a line feed at its end.
std::string lines(std::initializer_list<std::string> events);

// Version, application and one job around EVENTS; the job lists STAGES, which are submitted and completed by EVENTS.
std::string whole_log(const std::vector<StageLine>& stages, const std::vector<std::string>& events);

// One application that ran a stage of N tasks, each of which must succeed or be retried by TASKS.
std::string log_of_one_stage(const StageLine& stage, const std::vector<TaskLine>& tasks);

Result<Application> read_text(const std::string& log, const std::string& name = "local-1");

}  // namespace stagegate
