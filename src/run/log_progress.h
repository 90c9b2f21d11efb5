// How far a running job has come, read from its event log while it grows.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/byte_source.h"

namespace stagegate {

// Counts whole lines by how they begin, whatever the borders between two readings.
class EventCounter {
 public:
  void add(std::string_view chunk);
  std::int64_t stages_completed() const { return stages_completed_; }
  std::int64_t tasks_ended() const { return tasks_ended_; }

 private:
  void count_line();

  std::string line_begin_;
  std::int64_t stages_completed_ = 0;
  std::int64_t tasks_ended_ = 0;
};

// Follows the first plain log file that appears in a folder. A log in another form is no error: there is just no progress to be told.
class LogProgress {
 public:
  explicit LogProgress(std::string folder) : folder_(std::move(folder)) {}

  // Reads what has been added, but not so much at once that others would wait.
  void read_more();
  const EventCounter& counter() const { return counter_; }

 private:
  void look_for_log();

  std::string folder_;
  std::unique_ptr<ByteSource> log_;
  EventCounter counter_;
};

}  // namespace stagegate
