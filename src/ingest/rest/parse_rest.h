// From the text of a REST answer to its values, one function an answer. The error says what was there instead, without the place: whoever
// asked knows it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ingest/rest/rest_values.h"
#include "ingest/spark_release.h"
#include "model/application.h"

namespace stagegate {

Result<std::vector<RestApplication>> parse_rest_applications(std::string_view body);  // applications
Result<RestApplication> parse_rest_application(std::string_view body);                // applications/<id>
Result<std::string> parse_rest_version(std::string_view body);                        // version
Result<RestEnvironment> parse_rest_environment(std::string_view body);                // .../environment

// Of allexecutors, in the order of their start; without the driver, where it runs no tasks.
Result<std::vector<ExecutorInfo>> parse_rest_executors(std::string_view body);

Result<std::vector<RddInfo>> parse_rest_rdds(std::string_view body);              // .../storage/rdd
Result<std::vector<RestJob>> parse_rest_jobs(std::string_view body);              // .../jobs
Result<std::vector<RestStage>> parse_rest_stages(std::string_view body);          // .../stages
Result<std::vector<RestExecution>> parse_rest_executions(std::string_view body);  // .../sql

// Calls ON_TASK for each row of a taskList; its texts are valid during the call. Stage and attempt are the caller's to set. Of an
// application whose Spark did not have a metric yet, a newer server answers 0: RELEASE says which are none.
Status parse_rest_tasks(std::string_view body, TaskDepth depth, SparkRelease release, const std::function<void(RestTask& task)>& on_task);

}  // namespace stagegate
