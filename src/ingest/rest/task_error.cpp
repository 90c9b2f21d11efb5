#include "ingest/rest/task_error.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/error_text.h"

namespace stagegate {
namespace {

std::string_view behind(std::string_view text, std::string_view mark) {
  const auto place = text.find(mark);
  return place == std::string_view::npos ? std::string_view() : text.substr(place + mark.size());
}

// "java.lang.RuntimeException", "$line17.$read$$iw$Bad"
bool is_class_name(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '$';
  });
}

// The text of Throwable.printStackTrace: "class: message" or "class", then the frames, each in a line.
TaskError exception_failure(std::string_view message) {
  TaskError error{.kind = TaskEndKind::failed, .reason = "ExceptionFailure", .error_class = {}, .line = {}, .has_metrics = true};
  const auto first_line = message.substr(0, message.find('\n'));
  const auto name = first_line.substr(0, first_line.find(": "));
  if (!is_class_name(name)) {
    error.line = error_line(message);
    return error;
  }
  error.error_class = name;
  error.line = name.size() < first_line.size() ? error_line(message.substr(name.size() + 2)) : std::string_view();
  return error;
}

TaskError without_metrics(std::string_view reason, std::string_view line, TaskEndKind kind = TaskEndKind::failed) {
  return {.kind = kind, .reason = reason, .error_class = {}, .line = error_line(line), .has_metrics = false};
}

}  // namespace

TaskError task_error(std::string_view status, std::string_view message) {
  if (message.starts_with("TaskCommitDenied (")) {
    return without_metrics("TaskCommitDenied", {}, TaskEndKind::killed);
  }
  if (status == "KILLED") {
    return {.kind = TaskEndKind::killed, .reason = "TaskKilled", .error_class = {}, .line = error_line(message), .has_metrics = true};
  }
  if (message.starts_with("FetchFailed(")) {
    return without_metrics("FetchFailed", behind(message, "message=\n"));
  }
  if (message.starts_with("ExecutorLostFailure (")) {
    return without_metrics("ExecutorLostFailure", behind(message, " Reason: "));
  }
  if (message.starts_with("Resubmitted (")) {
    return without_metrics("Resubmitted", {}, TaskEndKind::resubmitted);
  }
  if (message.starts_with("TaskResultLost (")) {
    return without_metrics("TaskResultLost", {});
  }
  if (message.empty() || message == "UnknownReason") {
    return without_metrics("UnknownReason", {});
  }
  return exception_failure(message);
}

}  // namespace stagegate
