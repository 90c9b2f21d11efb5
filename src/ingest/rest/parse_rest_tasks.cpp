// Rows of a task list: nearly all of what an application has to say.
#include <array>
#include <span>

#include "ingest/rest/parse_rest.h"
#include "ingest/rest/rest_json.h"
#include "ingest/rest/task_error.h"
#include "ingest/task_numbers.h"

namespace stagegate {
namespace {

using rest::Fields;
using rest::ShapeError;

// The names of TaskMetrics and what is in it (status/api/v1/api.scala), for the numbers of ingest/task_numbers.h.
constexpr std::array kOwnNames{
    NumberKey{"executorDeserializeTime", number_of(TaskDetail::deserialize_time_ms)},
    NumberKey{"executorDeserializeCpuTime", number_of(TaskDetail::deserialize_cpu_time_ns)},
    NumberKey{"executorRunTime", number_of(TaskDetail::run_time_ms)},
    NumberKey{"executorCpuTime", number_of(TaskDetail::cpu_time_ns)},
    NumberKey{"resultSize", number_of(TaskDetail::result_size)},
    NumberKey{"jvmGcTime", number_of(TaskDetail::gc_time_ms)},
    NumberKey{"resultSerializationTime", number_of(TaskDetail::result_serialization_time_ms)},
    NumberKey{"memoryBytesSpilled", number_of(Metric::memory_spill_bytes)},
    NumberKey{"diskBytesSpilled", number_of(Metric::disk_spill_bytes)},
    NumberKey{"peakExecutionMemory", number_of(TaskDetail::peak_memory)},
};
constexpr std::array kInputNames{
    NumberKey{"bytesRead", number_of(Metric::input_bytes)},
    NumberKey{"recordsRead", number_of(Metric::input_records)},
};
constexpr std::array kOutputNames{
    NumberKey{"bytesWritten", number_of(Metric::output_bytes)},
    NumberKey{"recordsWritten", number_of(Metric::output_records)},
};
constexpr std::array kShuffleReadNames{
    NumberKey{"remoteBlocksFetched", number_of(TaskDetail::remote_blocks)},
    NumberKey{"localBlocksFetched", number_of(TaskDetail::local_blocks)},
    NumberKey{"fetchWaitTime", number_of(TaskDetail::fetch_wait_time_ms)},
    NumberKey{"remoteBytesRead", number_of(Metric::shuffle_read_bytes), number_of(TaskDetail::shuffle_read_remote)},
    NumberKey{"remoteBytesReadToDisk", number_of(TaskDetail::shuffle_read_to_disk)},
    NumberKey{"localBytesRead", number_of(Metric::shuffle_read_bytes), number_of(TaskDetail::shuffle_read_local)},
    NumberKey{"recordsRead", number_of(Metric::shuffle_read_records)},
    NumberKey{"remoteReqsDuration", number_of(TaskDetail::remote_requests_time_ms)},
};
constexpr std::array kPushMergedNames{
    NumberKey{"corruptMergedBlockChunks", number_of(TaskDetail::merged_corrupt_chunks)},
    NumberKey{"mergedFetchFallbackCount", number_of(TaskDetail::merged_fetch_fallbacks)},
    NumberKey{"remoteMergedBlocksFetched", number_of(TaskDetail::merged_remote_blocks)},
    NumberKey{"localMergedBlocksFetched", number_of(TaskDetail::merged_local_blocks)},
    NumberKey{"remoteMergedChunksFetched", number_of(TaskDetail::merged_remote_chunks)},
    NumberKey{"localMergedChunksFetched", number_of(TaskDetail::merged_local_chunks)},
    NumberKey{"remoteMergedBytesRead", number_of(TaskDetail::merged_remote_bytes)},
    NumberKey{"localMergedBytesRead", number_of(TaskDetail::merged_local_bytes)},
    NumberKey{"remoteMergedReqsDuration", number_of(TaskDetail::merged_remote_requests_time_ms)},
};
constexpr std::array kShuffleWriteNames{
    NumberKey{"bytesWritten", number_of(Metric::shuffle_write_bytes)},
    NumberKey{"writeTime", number_of(TaskDetail::shuffle_write_time_ns)},
    NumberKey{"recordsWritten", number_of(Metric::shuffle_write_records)},
};

// Which numbers an application of RELEASE has at all. Of one that is not known all are taken.
std::uint64_t numbers_of(SparkRelease release) {
  auto all = ~std::uint64_t{0};
  const auto leave_out = [&](std::size_t number) { all &= ~TaskNumbers::bit(number); };
  if (release == SparkRelease()) {
    return all;
  }
  if (release < SparkRelease{3, 4}) {
    leave_out(number_of(TaskDetail::remote_requests_time_ms));
    for (const auto& name : kPushMergedNames) {
      leave_out(name.number);
    }
  }
  if (release < SparkRelease{3, 0}) {
    leave_out(number_of(TaskDetail::peak_memory));
  }
  if (release < SparkRelease{2, 3}) {
    leave_out(number_of(TaskDetail::shuffle_read_to_disk));
  }
  return all;
}

// Reads the rows of one answer.
class RowReader {
 public:
  RowReader(TaskDepth depth, SparkRelease release) : depth_(depth), numbers_(numbers_of(release)) {}

  void read(const Fields& fields, ShapeError& error, RestTask& task) const;

 private:
  struct Metrics {
    TaskNumbers numbers;
    bool all_zero = true;
  };

  Metrics metrics_of(const Fields& fields) const;
  void read_group(const Fields& group, std::span<const NumberKey> names, Metrics& metrics) const;
  void read_end(const Fields& fields, std::string_view status, TaskEnd& end) const;

  TaskDepth depth_;
  std::uint64_t numbers_;
};

void RowReader::read_group(const Fields& group, std::span<const NumberKey> names, Metrics& metrics) const {
  for (const auto& name : names) {
    if (const auto value = group.integer(name.key.name())) {
      metrics.all_zero = metrics.all_zero && *value == 0;
      if ((numbers_ & TaskNumbers::bit(name.number)) != 0) {
        add_number(name, *value, depth_, metrics.numbers);
      }
    }
  }
}

RowReader::Metrics RowReader::metrics_of(const Fields& fields) const {
  Metrics metrics;
  const auto read_named = [&](const Fields& from, std::string_view name, std::span<const NumberKey> names) {
    from.object(name, [&](const Fields& group) { read_group(group, names, metrics); });
  };
  fields.object("taskMetrics", [&](const Fields& task) {
    read_group(task, kOwnNames, metrics);
    read_named(task, "inputMetrics", kInputNames);
    read_named(task, "outputMetrics", kOutputNames);
    read_named(task, "shuffleReadMetrics", kShuffleReadNames);
    read_named(task, "shuffleWriteMetrics", kShuffleWriteNames);
    task.object("shuffleReadMetrics", [&](const Fields& read) { read_named(read, "shufflePushReadMetrics", kPushMergedNames); });
  });
  return metrics;
}

// Of a task that did not succeed the log often has no metrics, where a history server answers zeros, and a live UI what the last heartbeat
// said.
void RowReader::read_end(const Fields& fields, std::string_view status, TaskEnd& end) const {
  const auto metrics = metrics_of(fields);
  if (status == "SUCCESS") {
    end.kind = TaskEndKind::success;
    end.reason = "Success";
    end.numbers = metrics.numbers;
    return;
  }
  const auto error = task_error(status, fields.text("errorMessage").value_or(""));
  end.kind = error.kind;
  end.reason = error.reason;
  end.error_class = error.error_class;
  end.error = error.line;
  if (error.has_metrics && !metrics.all_zero) {
    end.numbers = metrics.numbers;
  }
}

TaskInfoTimes times_of(const Fields& fields, std::int64_t launched_ms) {
  TaskInfoTimes times;
  times.index = fields.integer("index").value_or(-1);
  times.partition = fields.integer("partitionId").value_or(-1);
  times.getting_result_ms = fields.time("resultFetchStart").value_or(0);
  if (const auto duration = fields.integer("duration")) {
    times.finish_ms = saturating_add(launched_ms, *duration);
  }
  return times;
}

void RowReader::read(const Fields& fields, ShapeError& error, RestTask& task) const {
  auto& end = task.end;
  const auto status = fields.text("status").value_or("");
  task.ended = !(status == "RUNNING" || status == "GET RESULT");
  end.task_id = fields.required_integer("taskId");
  end.attempt_number = static_cast<std::int32_t>(fields.integer("attempt").value_or(0));
  end.launched_ms = fields.time("launchTime").value_or(0);
  end.speculative = fields.boolean("speculative");
  end.executor = fields.text("executorId").value_or("");
  end.host = fields.text("host").value_or("");
  read_end(fields, status, end);
  const auto times = times_of(fields, end.launched_ms);
  task.finish_ms = times.finish_ms;
  if (!apply(times, depth_, end)) {
    error.note("its 'index' is missing, or is none of a partition");
  }
}

}  // namespace

Status parse_rest_tasks(std::string_view body, TaskDepth depth, SparkRelease release, const std::function<void(RestTask& task)>& on_task) {
  const RowReader reader(depth, release);
  return rest::read_list(body, [&](const Fields& fields, ShapeError& error) {
    RestTask task;
    reader.read(fields, error, task);
    if (!error.any()) {
      on_task(task);
    }
  });
}

}  // namespace stagegate
