// SparkListenerTaskEnd: nine tenths of a log's bytes, so it is read field by field and its accumulables, the largest part, are skipped.
// Those of the completed stage hold the ids of all its tasks' accumulators.
#include <span>

#include "base/error_text.h"
#include "ingest/parse_events.h"
#include "ingest/task_numbers.h"

namespace stagegate {
namespace {

const NumberKey* find(KeySearch<NumberKey>& keys, json::Key key) {
  return keys.find([&](const KeyText& candidate) { return key == candidate.name(); });
}

class MetricsReader {
 public:
  MetricsReader(TaskDepth depth, TaskNumbers& numbers) : depth_(depth), numbers_(numbers) {}

  bool read(json::Value object) {
    KeySearch<NumberKey> own(kOwnKeys);
    return json::for_each_field(object, [&](json::Key key, json::Value value) {
      if (const auto* known = find(own, key)) {
        return add(*known, value);
      }
      if (key == "Shuffle Read Metrics") {
        return read_shuffle_read(value);
      }
      if (key == "Shuffle Write Metrics") {
        return read_group(value, kShuffleWriteKeys);
      }
      if (key == "Input Metrics") {
        return read_group(value, kInputKeys);
      }
      if (key == "Output Metrics") {
        return read_group(value, kOutputKeys);
      }
      return true;
    });
  }

 private:
  bool add(const NumberKey& key, json::Value value) {
    if (!is_wanted(key.number, depth_)) {
      return true;
    }
    std::int64_t number = 0;
    if (!json::read(value, number)) {
      return false;
    }
    add_number(key, number, depth_, numbers_);
    return true;
  }

  bool read_group(json::Value group, std::span<const NumberKey> keys) {
    KeySearch<NumberKey> search(keys);
    return json::for_each_field(group, [&](json::Key key, json::Value value) {
      const auto* known = find(search, key);
      return known == nullptr || add(*known, value);
    });
  }

  bool read_shuffle_read(json::Value group) {
    KeySearch<NumberKey> search(kShuffleReadKeys);
    return json::for_each_field(group, [&](json::Key key, json::Value value) {
      if (const auto* known = find(search, key)) {
        return add(*known, value);
      }
      // Its bytes are inside the remote and local ones already.
      return depth_ == TaskDepth::judged || !(key == "Push Based Shuffle") || read_group(value, kPushMergedKeys);
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
  task.error = error_line(task.error);
  return good;
}

bool read_task_info(json::Value object, TaskInfoTimes& info, TaskEnd& task) {
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

template <TaskDepth depth>
bool parse(json::ondemand::object fields, Event& event) {
  auto& task = event.emplace<TaskEnd>();
  TaskInfoTimes info;
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
