// The task metrics that explain a stage and never judge it, as one table: what a task waited for, what it held, where its bytes came from.
// A new one is a row here and a key in the reader. What is judged and summed up is in metric.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stagegate {

enum class TaskDetail : std::uint8_t {
  run_time_ms,
  cpu_time_ns,
  deserialize_time_ms,
  deserialize_cpu_time_ns,
  gc_time_ms,
  result_serialization_time_ms,
  getting_result_time_ms,  // only of results that were too large to come with the task's end
  result_size,
  peak_memory,
  peak_memory_on_heap,   // Spark 4.0 and later
  peak_memory_off_heap,  // Spark 4.0 and later
  shuffle_read_remote,
  shuffle_read_local,
  shuffle_read_to_disk,  // inside shuffle_read_remote
  remote_blocks,
  local_blocks,
  fetch_wait_time_ms,
  remote_requests_time_ms,  // Spark 3.4 and later, as the push-merged ones
  merged_corrupt_chunks,
  merged_fetch_fallbacks,
  merged_remote_blocks,
  merged_local_blocks,
  merged_remote_chunks,
  merged_local_chunks,
  merged_remote_bytes,  // inside shuffle_read_remote
  merged_local_bytes,   // inside shuffle_read_local
  merged_remote_requests_time_ms,
  shuffle_write_time_ns,
};

inline constexpr std::size_t kTaskDetailCount = 28;

enum class DetailUnit : std::uint8_t { bytes, count, milliseconds, nanoseconds };

struct TaskDetailInfo {
  TaskDetail detail;
  std::string_view name;  // "run_time_ms", ...: in reports
  DetailUnit unit;
};

inline constexpr std::array<TaskDetailInfo, kTaskDetailCount> kTaskDetails{{
    {TaskDetail::run_time_ms, "run_time_ms", DetailUnit::milliseconds},
    {TaskDetail::cpu_time_ns, "cpu_time_ns", DetailUnit::nanoseconds},
    {TaskDetail::deserialize_time_ms, "deserialize_time_ms", DetailUnit::milliseconds},
    {TaskDetail::deserialize_cpu_time_ns, "deserialize_cpu_time_ns", DetailUnit::nanoseconds},
    {TaskDetail::gc_time_ms, "gc_time_ms", DetailUnit::milliseconds},
    {TaskDetail::result_serialization_time_ms, "result_serialization_time_ms", DetailUnit::milliseconds},
    {TaskDetail::getting_result_time_ms, "getting_result_time_ms", DetailUnit::milliseconds},
    {TaskDetail::result_size, "result_size", DetailUnit::bytes},
    {TaskDetail::peak_memory, "peak_memory", DetailUnit::bytes},
    {TaskDetail::peak_memory_on_heap, "peak_memory_on_heap", DetailUnit::bytes},
    {TaskDetail::peak_memory_off_heap, "peak_memory_off_heap", DetailUnit::bytes},
    {TaskDetail::shuffle_read_remote, "shuffle_read_remote", DetailUnit::bytes},
    {TaskDetail::shuffle_read_local, "shuffle_read_local", DetailUnit::bytes},
    {TaskDetail::shuffle_read_to_disk, "shuffle_read_to_disk", DetailUnit::bytes},
    {TaskDetail::remote_blocks, "remote_blocks", DetailUnit::count},
    {TaskDetail::local_blocks, "local_blocks", DetailUnit::count},
    {TaskDetail::fetch_wait_time_ms, "fetch_wait_time_ms", DetailUnit::milliseconds},
    {TaskDetail::remote_requests_time_ms, "remote_requests_time_ms", DetailUnit::milliseconds},
    {TaskDetail::merged_corrupt_chunks, "merged_corrupt_chunks", DetailUnit::count},
    {TaskDetail::merged_fetch_fallbacks, "merged_fetch_fallbacks", DetailUnit::count},
    {TaskDetail::merged_remote_blocks, "merged_remote_blocks", DetailUnit::count},
    {TaskDetail::merged_local_blocks, "merged_local_blocks", DetailUnit::count},
    {TaskDetail::merged_remote_chunks, "merged_remote_chunks", DetailUnit::count},
    {TaskDetail::merged_local_chunks, "merged_local_chunks", DetailUnit::count},
    {TaskDetail::merged_remote_bytes, "merged_remote_bytes", DetailUnit::bytes},
    {TaskDetail::merged_local_bytes, "merged_local_bytes", DetailUnit::bytes},
    {TaskDetail::merged_remote_requests_time_ms, "merged_remote_requests_time_ms", DetailUnit::milliseconds},
    {TaskDetail::shuffle_write_time_ns, "shuffle_write_time_ns", DetailUnit::nanoseconds},
}};

constexpr std::size_t index_of(TaskDetail detail) {
  return static_cast<std::size_t>(detail);
}

}  // namespace stagegate
