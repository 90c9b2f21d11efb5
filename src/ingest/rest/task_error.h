// The `errorMessage` of a task in a REST answer, taken apart into what the event log has in fields of their own: Spark makes it of them by
// TaskFailedReason.toErrorString (TaskEndReason.scala), and of a TaskKilled it is the reason alone (AppStatusListener.scala).
#pragma once

#include <string_view>

#include "ingest/events.h"

namespace stagegate {

// All point into MESSAGE or to constants.
struct TaskError {
  TaskEndKind kind = TaskEndKind::failed;
  std::string_view reason;       // "ExceptionFailure", "FetchFailed", "TaskKilled", ...
  std::string_view error_class;  // of an ExceptionFailure
  std::string_view line;         // base/error_text.h
  bool has_metrics = false;      // whether Spark logs the metrics of a task that ends so
};

// STATUS: "FAILED", "KILLED", or another that is not a success.
TaskError task_error(std::string_view status, std::string_view message);

}  // namespace stagegate
