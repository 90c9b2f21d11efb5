// SparkListenerTaskEnd: nine tenths of a log's bytes, so it is read field by field and its accumulables, the largest part, are skipped.
// Those of the completed stage hold the ids of all its tasks' accumulators.
#include <array>
#include <span>

#include "ingest/parse_events.h"

namespace stagegate {
namespace {

struct MetricKey {
  std::string_view key;
  Metric metric;
};

constexpr std::array kShuffleRead{
    MetricKey{"Remote Bytes Read", Metric::shuffle_read_bytes},
    MetricKey{"Local Bytes Read", Metric::shuffle_read_bytes},
    MetricKey{"Total Records Read", Metric::shuffle_read_records},
};
constexpr std::array kShuffleWrite{
    MetricKey{"Shuffle Bytes Written", Metric::shuffle_write_bytes},
    MetricKey{"Shuffle Records Written", Metric::shuffle_write_records},
};
constexpr std::array kInput{
    MetricKey{"Bytes Read", Metric::input_bytes},
    MetricKey{"Records Read", Metric::input_records},
};
constexpr std::array kOutput{
    MetricKey{"Bytes Written", Metric::output_bytes},
    MetricKey{"Records Written", Metric::output_records},
};

bool add_metric(json::Value value, Metric metric, TaskMetrics& metrics) {
  std::int64_t number = 0;
  if (!json::read(value, number)) {
    return false;
  }
  metrics.add(metric, number);
  return true;
}

bool read_group(json::Value group, std::span<const MetricKey> keys, TaskMetrics& metrics) {
  return json::for_each_field(group, [&](json::Key key, json::Value value) {
    for (const auto& known : keys) {
      if (key == known.key) {
        return add_metric(value, known.metric, metrics);
      }
    }
    return true;
  });
}

bool read_metrics(json::Value object, TaskMetrics& metrics) {
  return json::for_each_field(object, [&](json::Key key, json::Value value) {
    if (key == "Memory Bytes Spilled") {
      return add_metric(value, Metric::memory_spill_bytes, metrics);
    }
    if (key == "Disk Bytes Spilled") {
      return add_metric(value, Metric::disk_spill_bytes, metrics);
    }
    if (key == "Shuffle Read Metrics") {
      return read_group(value, kShuffleRead, metrics);
    }
    if (key == "Shuffle Write Metrics") {
      return read_group(value, kShuffleWrite, metrics);
    }
    if (key == "Input Metrics") {
      return read_group(value, kInput, metrics);
    }
    if (key == "Output Metrics") {
      return read_group(value, kOutput, metrics);
    }
    return true;
  });
}

// Success is what the reason says and nothing else: `Failed` and `Killed` of a Resubmitted task are false too.
bool read_end_reason(json::Value object, std::optional<TaskEndKind>& kind) {
  return json::for_each_field(object, [&](json::Key key, json::Value value) {
    if (!(key == "Reason")) {
      return true;
    }
    std::string_view reason;
    const bool good = json::read(value, reason);
    kind = reason == "Success"                                      ? TaskEndKind::success
           : reason == "Resubmitted"                                ? TaskEndKind::resubmitted
           : reason == "TaskKilled" || reason == "TaskCommitDenied" ? TaskEndKind::killed
                                                                    : TaskEndKind::failed;
    return good;
  });
}

struct TaskInfo {
  std::optional<std::int64_t> index;
  std::int64_t partition = -1;  // Spark 3.3 and later; -1 where it is not known
  std::int64_t launch_ms = 0;
  std::int64_t finish_ms = 0;
  bool speculative = false;
};

bool read_task_info(json::Value object, TaskInfo& info) {
  return json::for_each_field(object, [&](json::Key key, json::Value value) {
    if (key == "Index") {
      return json::read(value, info.index);
    }
    if (key == "Partition ID") {
      return json::read(value, info.partition);
    }
    if (key == "Launch Time") {
      return json::read(value, info.launch_ms);
    }
    if (key == "Speculative") {
      return json::read(value, info.speculative);
    }
    if (key == "Finish Time") {
      return json::read(value, info.finish_ms);
    }
    return true;
  });
}

bool apply(const TaskInfo& info, TaskEnd& task) {
  const auto partition = info.partition >= 0 ? info.partition : info.index.value_or(-1);
  if (partition < 0 || partition > std::numeric_limits<std::int32_t>::max()) {
    return false;
  }
  task.partition = static_cast<std::int32_t>(partition);
  task.speculative = info.speculative;
  std::int64_t duration = 0;
  if (info.finish_ms > 0 && !__builtin_sub_overflow(info.finish_ms, info.launch_ms, &duration)) {
    task.metrics.add(Metric::duration_ms, duration);
  }
  return true;
}

}  // namespace

bool parse_task_end(json::ondemand::object fields, Event& event) {
  auto& task = event.emplace<TaskEnd>();
  std::optional<TaskEndKind> kind;
  TaskInfo info;
  bool has_stage = false;
  const bool good = json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "Stage ID") {
      has_stage = true;
      return json::read(value, task.stage);
    }
    if (key == "Stage Attempt ID") {
      return json::read(value, task.attempt);
    }
    if (key == "Task End Reason") {
      return read_end_reason(value, kind);
    }
    if (key == "Task Info") {
      return read_task_info(value, info);
    }
    if (key == "Task Metrics") {
      return read_metrics(value, task.metrics);
    }
    return true;
  });
  if (!good || !has_stage || !kind) {
    return false;
  }
  task.kind = *kind;
  return apply(info, task);
}

}  // namespace stagegate
