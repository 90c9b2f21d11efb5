#include "ingest/task_numbers.h"

#include <limits>

namespace stagegate {

bool apply(const TaskInfoTimes& info, TaskDepth depth, TaskEnd& task) {
  const auto partition = info.partition >= 0 ? info.partition : info.index;
  if (partition < 0 || partition > std::numeric_limits<std::int32_t>::max()) {
    return false;
  }
  task.partition = static_cast<std::int32_t>(partition);
  const auto add_span = [&](auto number, std::int64_t from_ms) {
    std::int64_t span = 0;
    if (!__builtin_sub_overflow(info.finish_ms, from_ms, &span)) {
      task.numbers.add(number, span);
    }
  };
  if (info.finish_ms > 0) {
    add_span(Metric::duration_ms, task.launched_ms);
  }
  if (info.finish_ms > 0 && info.getting_result_ms > 0 && depth == TaskDepth::all) {
    add_span(TaskDetail::getting_result_time_ms, info.getting_result_ms);
  }
  return true;
}

}  // namespace stagegate
