// The keys of `Task Metrics` and the numbers that they are, in the order in which Spark writes them (JsonProtocol.scala), so that a key is
// found where the last one ended. Private to ingest/, for the two that read task ends.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "ingest/events.h"
#include "ingest/line_cursor.h"

namespace stagegate {

constexpr std::size_t number_of(Metric metric) {
  return index_of(metric);
}
constexpr std::size_t number_of(TaskDetail detail) {
  return kMetricCount + index_of(detail);
}
inline constexpr std::size_t kNoNumber = TaskNumbers::kCount;

struct NumberKey {
  KeyText key;
  std::size_t number;
  std::size_t also = kNoNumber;  // a second number that the value belongs to
};

inline constexpr std::array kOwnKeys{
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
inline constexpr std::array kShuffleReadKeys{
    NumberKey{"Remote Blocks Fetched", number_of(TaskDetail::remote_blocks)},
    NumberKey{"Local Blocks Fetched", number_of(TaskDetail::local_blocks)},
    NumberKey{"Fetch Wait Time", number_of(TaskDetail::fetch_wait_time_ms)},
    NumberKey{"Remote Bytes Read", number_of(Metric::shuffle_read_bytes), number_of(TaskDetail::shuffle_read_remote)},
    NumberKey{"Remote Bytes Read To Disk", number_of(TaskDetail::shuffle_read_to_disk)},
    NumberKey{"Local Bytes Read", number_of(Metric::shuffle_read_bytes), number_of(TaskDetail::shuffle_read_local)},
    NumberKey{"Total Records Read", number_of(Metric::shuffle_read_records)},
    NumberKey{"Remote Requests Duration", number_of(TaskDetail::remote_requests_time_ms)},
};
// Inside the shuffle read; its bytes are in the remote and local ones already.
inline constexpr std::array kPushMergedKeys{
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
inline constexpr std::array kShuffleWriteKeys{
    NumberKey{"Shuffle Bytes Written", number_of(Metric::shuffle_write_bytes)},
    NumberKey{"Shuffle Write Time", number_of(TaskDetail::shuffle_write_time_ns)},
    NumberKey{"Shuffle Records Written", number_of(Metric::shuffle_write_records)},
};
inline constexpr std::array kInputKeys{
    NumberKey{"Bytes Read", number_of(Metric::input_bytes)},
    NumberKey{"Records Read", number_of(Metric::input_records)},
};
inline constexpr std::array kOutputKeys{
    NumberKey{"Bytes Written", number_of(Metric::output_bytes)},
    NumberKey{"Records Written", number_of(Metric::output_records)},
};

// Finds the keys of one object, each a step behind the last one. ENTRY has a `key`.
template <typename Entry>
class KeySearch {
 public:
  explicit KeySearch(std::span<const Entry> entries) : entries_(entries) {}

  // IS_IT(const KeyText&) says whether it is the key that stands there.
  template <typename IsIt>
  const Entry* find(IsIt&& is_it) {
    for (std::size_t tried = 0; tried < entries_.size(); ++tried) {
      const auto& candidate = entries_[next_];
      next_ = next_ + 1 == entries_.size() ? 0 : next_ + 1;
      if (is_it(candidate.key)) {
        return &candidate;
      }
    }
    return nullptr;
  }

  // Nothing was found yet, or the last one.
  bool at_front() const { return next_ == 0; }

 private:
  std::span<const Entry> entries_;
  std::size_t next_ = 0;
};

constexpr bool is_wanted(std::size_t number, TaskDepth depth) {
  return number < kMetricCount || (number != kNoNumber && depth == TaskDepth::all);
}

// Where it belongs, as far as it is wanted.
inline void add_number(const NumberKey& key, std::int64_t value, TaskDepth depth, TaskNumbers& numbers) {
  if (is_wanted(key.number, depth)) {
    numbers.add(key.number, value);
  }
  if (is_wanted(key.also, depth)) {
    numbers.add(key.also, value);
  }
}

// What the times and the partition of `Task Info` come to.
struct TaskInfoTimes {
  std::int64_t index = -1;
  std::int64_t partition = -1;  // Spark 3.3 and later; -1 where it is not known
  std::int64_t getting_result_ms = 0;
  std::int64_t finish_ms = 0;
};

// False where no partition is known.
bool apply(const TaskInfoTimes& info, TaskDepth depth, TaskEnd& task);

}  // namespace stagegate
