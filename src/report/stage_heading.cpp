#include "report/stage_heading.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "report/terminal.h"

namespace stagegate {
namespace {

constexpr std::size_t kMaxWidth = 100;

// Where a call site lies when no code of the job is on the calling thread's stack.
constexpr std::array<std::string_view, 6> kForeignFiles{
    "NativeMethodAccessorImpl.java:", "DirectMethodHandleAccessor.java:", "FutureTask.java:",
    "ThreadPoolExecutor.java:",       "CompletableFuture.java:",          "ForkJoinTask.java:"};

bool is_uuid(std::string_view text) {
  constexpr std::string_view kShape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";
  return text.size() == kShape.size() && std::equal(text.begin(), text.end(), kShape.begin(), [&](char c, char shape) {
           return shape == '-' ? c == '-' : kHexDigits.find(c) != std::string_view::npos;
         });
}

std::string own_group(const StageAttempt& stage) {
  return stage.group && !is_uuid(*stage.group) ? one_line(*stage.group, kMaxWidth) : std::string();
}

std::string own_description(const StageAttempt& stage) {
  auto description = one_line(stage.description.value_or(""), kMaxWidth);
  return description.starts_with("broadcast exchange (runId ") ? std::string() : description;
}

std::string own_words(const StageAttempt& stage) {
  const auto group = own_group(stage);
  auto description = own_description(stage);
  if (group.empty() || description.find(group) != std::string::npos) {
    return description;
  }
  return description.empty() ? group : one_line(fmt::format("{}: {}", group, description), kMaxWidth);
}

// Executions, jobs and stages stand in the order of their ids.
template <typename T>
const T* find_by_id(const std::vector<T>& sorted, std::int64_t id) {
  const auto found =
      std::lower_bound(sorted.begin(), sorted.end(), id, [](const T& item, std::int64_t wanted) { return item.id < wanted; });
  return found != sorted.end() && found->id == id ? &*found : nullptr;
}

// The execution that the author started: one that is part of another gives way to it.
const SqlExecution* root_execution(const Application& application, std::int64_t id) {
  const auto* execution = find_by_id(application.executions, id);
  const auto* root = execution != nullptr && execution->root_id ? find_by_id(application.executions, *execution->root_id) : nullptr;
  return root != nullptr ? root : execution;
}

std::string execution_words(const Application& application, std::int64_t id) {
  const auto* execution = root_execution(application, id);
  if (execution == nullptr || execution->description.empty()) {
    return fmt::format("SQL {}", execution == nullptr ? id : execution->id);
  }
  return fmt::format("{} (SQL {})", one_line(without_foreign_place(execution->description), kMaxWidth), execution->id);
}

// Spark's own name for a job is that of its last stage.
std::string job_words(const Application& application, std::int64_t id) {
  const auto* job = find_by_id(application.jobs, id);
  const auto* last = job != nullptr && !job->stages.empty() ? find_by_id(application.stages, job->stages.back()) : nullptr;
  if (last == nullptr || last->name.empty()) {
    return fmt::format("job {}", id);
  }
  return fmt::format("{} (job {})", one_line(without_foreign_place(last->name), kMaxWidth), id);
}

}  // namespace

std::string_view without_foreign_place(std::string_view call_site) {
  const auto at = call_site.rfind(" at ");
  if (at == std::string_view::npos) {
    return call_site;
  }
  const auto place = call_site.substr(at + 4);
  const bool foreign = std::any_of(kForeignFiles.begin(), kForeignFiles.end(), [&](auto file) { return place.starts_with(file); });
  return foreign ? call_site.substr(0, at) : call_site;
}

std::string stage_heading(const Application& application, const StageAttempt& stage) {
  if (auto words = own_words(stage); !words.empty()) {
    return words;
  }
  if (stage.sql_execution) {
    return execution_words(application, *stage.sql_execution);
  }
  return stage.jobs.empty() ? "without a job" : job_words(application, stage.jobs.front());
}

}  // namespace stagegate
