// SparkListenerTaskEnd: nine tenths of a log's bytes, so it is read field by field and its accumulables, the largest part, are skipped.
// Those of the completed stage hold the ids of all its tasks' accumulators.
#include <array>
#include <span>

#include "ingest/parse_events.h"

namespace stagegate {
namespace {

constexpr std::size_t number_of(Metric metric) {
  return index_of(metric);
}
constexpr std::size_t number_of(TaskDetail detail) {
  return kMetricCount + index_of(detail);
}
// Of a key that is skipped.
constexpr std::size_t kNone = TaskNumbers::kCount;

struct NumberKey {
  std::string_view key;
  std::size_t number;
  std::size_t also = kNone;  // a second number that the value belongs to
};

// In the order in which Spark writes them (JsonProtocol.scala): a key is then found where the last one ended.
constexpr std::array kShuffleRead{
    NumberKey{"Remote Blocks Fetched", number_of(TaskDetail::remote_blocks)},
    NumberKey{"Local Blocks Fetched", number_of(TaskDetail::local_blocks)},
    NumberKey{"Fetch Wait Time", number_of(TaskDetail::fetch_wait_time_ms)},
    NumberKey{"Remote Bytes Read", number_of(Metric::shuffle_read_bytes), number_of(TaskDetail::shuffle_read_remote)},
    NumberKey{"Remote Bytes Read To Disk", number_of(TaskDetail::shuffle_read_to_disk)},
    NumberKey{"Local Bytes Read", number_of(Metric::shuffle_read_bytes), number_of(TaskDetail::shuffle_read_local)},
    NumberKey{"Total Records Read", number_of(Metric::shuffle_read_records)},
    NumberKey{"Remote Requests Duration", number_of(TaskDetail::remote_requests_time_ms)},
};
constexpr std::array kPushMerged{
    NumberKey{"Corrupt Merged Block Chunks", number_of(TaskDetail::merged_corrupt_chunks)},
    NumberKey{"Merged Fetch Fallback Count", number_of(TaskDetail::merged_fetch_fallbacks)},
    NumberKey{"Merged Remote Blocks Fetched", number_of(TaskDetail::merged_remote_blocks)},
    NumberKey{"Merged Local Blocks Fetched", number_of(TaskDetail::merged_local_blocks)},
    NumberKey{"Merged Remote Chunks Fetched", number_of(TaskDetail::merged_remote_chunks)},
    NumberKey{"Merged Local Chunks Fetched", number_of(TaskDetail::merged_local_chunks)},
    NumberKey{"Merged Remote Bytes Read", number_of(TaskDetail::merged_remote_bytes)},
    NumberKey{"Merged Local Bytes Read", number_of(TaskDetail::merged_local_bytes)},
    NumberKey{"Merged Remote Requests Duration", number_of(TaskDetail::merged_remote_requests_time_ms)},
};
constexpr std::array kShuffleWrite{
    NumberKey{"Shuffle Bytes Written", number_of(Metric::shuffle_write_bytes)},
    NumberKey{"Shuffle Write Time", number_of(TaskDetail::shuffle_write_time_ns)},
    NumberKey{"Shuffle Records Written", number_of(Metric::shuffle_write_records)},
};
constexpr std::array kInput{
    NumberKey{"Bytes Read", number_of(Metric::input_bytes)},
    NumberKey{"Records Read", number_of(Metric::input_records)},
};
constexpr std::array kOutput{
    NumberKey{"Bytes Written", number_of(Metric::output_bytes)},
    NumberKey{"Records Written", number_of(Metric::output_records)},
};
constexpr std::array kOwn{
    NumberKey{"Executor Deserialize Time", number_of(TaskDetail::deserialize_time_ms)},
    NumberKey{"Executor Deserialize CPU Time", number_of(TaskDetail::deserialize_cpu_time_ns)},
    NumberKey{"Executor Run Time", number_of(TaskDetail::run_time_ms)},
    NumberKey{"Executor CPU Time", number_of(TaskDetail::cpu_time_ns)},
    NumberKey{"Peak Execution Memory", number_of(TaskDetail::peak_memory)},
    NumberKey{"Peak On Heap Execution Memory", number_of(TaskDetail::peak_memory_on_heap)},
    NumberKey{"Peak Off Heap Execution Memory", number_of(TaskDetail::peak_memory_off_heap)},
    NumberKey{"Result Size", number_of(TaskDetail::result_size)},
    NumberKey{"JVM GC Time", number_of(TaskDetail::gc_time_ms)},
    NumberKey{"Result Serialization Time", number_of(TaskDetail::result_serialization_time_ms)},
    NumberKey{"Memory Bytes Spilled", number_of(Metric::memory_spill_bytes)},
    NumberKey{"Disk Bytes Spilled", number_of(Metric::disk_spill_bytes)},
};

// Finds the keys of one object, each a step behind the last one.
class KeySearch {
 public:
  explicit KeySearch(std::span<const NumberKey> keys) : keys_(keys) {}

  const NumberKey* find(json::Key key) {
    for (std::size_t tried = 0; tried < keys_.size(); ++tried) {
      const auto& candidate = keys_[next_];
      next_ = next_ + 1 == keys_.size() ? 0 : next_ + 1;
      if (key == candidate.key) {
        return &candidate;
      }
    }
    return nullptr;
  }

 private:
  std::span<const NumberKey> keys_;
  std::size_t next_ = 0;
};

class MetricsReader {
 public:
  MetricsReader(TaskDepth depth, TaskNumbers& numbers) : depth_(depth), numbers_(numbers) {}

  bool read(json::Value object) {
    KeySearch own(kOwn);
    return json::for_each_field(object, [&](json::Key key, json::Value value) {
      if (const auto* known = own.find(key)) {
        return add(*known, value);
      }
      if (key == "Shuffle Read Metrics") {
        return read_shuffle_read(value);
      }
      if (key == "Shuffle Write Metrics") {
        return read_group(value, kShuffleWrite);
      }
      if (key == "Input Metrics") {
        return read_group(value, kInput);
      }
      if (key == "Output Metrics") {
        return read_group(value, kOutput);
      }
      return true;
    });
  }

 private:
  bool wanted(std::size_t number) const { return number < kMetricCount || (number != kNone && depth_ == TaskDepth::all); }

  bool add(const NumberKey& key, json::Value value) {
    if (!wanted(key.number)) {
      return true;
    }
    std::int64_t number = 0;
    if (!json::read(value, number)) {
      return false;
    }
    numbers_.add(key.number, number);
    if (wanted(key.also)) {
      numbers_.add(key.also, number);
    }
    return true;
  }

  bool read_group(json::Value group, std::span<const NumberKey> keys) {
    KeySearch search(keys);
    return json::for_each_field(group, [&](json::Key key, json::Value value) {
      const auto* known = search.find(key);
      return known == nullptr || add(*known, value);
    });
  }

  bool read_shuffle_read(json::Value group) {
    KeySearch search(kShuffleRead);
    return json::for_each_field(group, [&](json::Key key, json::Value value) {
      if (const auto* known = search.find(key)) {
        return add(*known, value);
      }
      // Its bytes are inside the remote and local ones already.
      return depth_ == TaskDepth::judged || !(key == "Push Based Shuffle") || read_group(value, kPushMerged);
    });
  }

  TaskDepth depth_;
  TaskNumbers& numbers_;
};

TaskEndKind kind_of(std::string_view reason) {
  return reason == "Success"                                      ? TaskEndKind::success
         : reason == "Resubmitted"                                ? TaskEndKind::resubmitted
         : reason == "TaskKilled" || reason == "TaskCommitDenied" ? TaskEndKind::killed
                                                                  : TaskEndKind::failed;
}

// Success is what the reason says and nothing else: `Failed` and `Killed` of a Resubmitted task are false too.
bool read_end_reason(json::Value object, TaskEnd& task, bool& has_reason) {
  const bool good = json::for_each_field(object, [&](json::Key key, json::Value value) {
    if (key == "Reason") {
      has_reason = true;
      return json::read(value, task.reason);
    }
    if (key == "Class Name") {
      return json::read(value, task.error_class);
    }
    // The words of ExceptionFailure, FetchFailed, TaskKilled and ExecutorLostFailure.
    if (key == "Description" || key == "Message" || key == "Kill Reason" || key == "Loss Reason") {
      return json::read(value, task.error);
    }
    return true;
  });
  task.kind = kind_of(task.reason);
  task.error = json::first_line(task.error);
  return good;
}

struct TaskInfo {
  std::optional<std::int64_t> index;
  std::int64_t partition = -1;  // Spark 3.3 and later; -1 where it is not known
  std::int64_t getting_result_ms = 0;
  std::int64_t finish_ms = 0;
};

bool read_task_info(json::Value object, TaskInfo& info, TaskEnd& task) {
  return json::for_each_field(object, [&](json::Key key, json::Value value) {
    if (key == "Task ID") {
      return json::read(value, task.task_id);
    }
    if (key == "Index") {
      return json::read(value, info.index);
    }
    if (key == "Attempt") {
      return json::read(value, task.attempt_number);
    }
    if (key == "Partition ID") {
      return json::read(value, info.partition);
    }
    if (key == "Launch Time") {
      return json::read(value, task.launched_ms);
    }
    if (key == "Executor ID") {
      return json::read(value, task.executor);
    }
    if (key == "Host") {
      return json::read(value, task.host);
    }
    if (key == "Speculative") {
      return json::read(value, task.speculative);
    }
    if (key == "Getting Result Time") {
      return json::read(value, info.getting_result_ms);
    }
    if (key == "Finish Time") {
      return json::read(value, info.finish_ms);
    }
    return true;
  });
}

bool apply(const TaskInfo& info, TaskDepth depth, TaskEnd& task) {
  const auto partition = info.partition >= 0 ? info.partition : info.index.value_or(-1);
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

template <TaskDepth depth>
bool parse(json::ondemand::object fields, Event& event) {
  auto& task = event.emplace<TaskEnd>();
  TaskInfo info;
  MetricsReader metrics(depth, task.numbers);
  bool has_stage = false;
  bool has_reason = false;
  const bool good = json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "Stage ID") {
      has_stage = true;
      return json::read(value, task.stage);
    }
    if (key == "Stage Attempt ID") {
      return json::read(value, task.attempt);
    }
    if (key == "Task End Reason") {
      return read_end_reason(value, task, has_reason);
    }
    if (key == "Task Info") {
      return read_task_info(value, info, task);
    }
    if (key == "Task Metrics") {
      return metrics.read(value);
    }
    return true;
  });
  return good && has_stage && has_reason && apply(info, depth, task);
}

}  // namespace

bool parse_task_end(json::ondemand::object fields, Event& event) {
  return parse<TaskDepth::judged>(fields, event);
}

bool parse_task_end_wholly(json::ondemand::object fields, Event& event) {
  return parse<TaskDepth::all>(fields, event);
}

}  // namespace stagegate
