// Events on their way from the thread that parses to the one that builds, in their order and small.
#pragma once

#include <cstddef>
#include <vector>

#include "ingest/events.h"
#include "ingest/packed_tasks.h"

namespace stagegate {

class EventBatch {
 public:
  // Leaves EVENT moved from. LINE_BYTES: of the line that it came from.
  void add(Event& event, std::size_t line_bytes);

  bool empty() const { return tasks_in_front_.empty() && tasks_.empty(); }
  // More than a thousand tasks: time to hand it on and begin another.
  bool is_full() const { return bytes() >= kFullBytes; }
  // What it holds in memory, about.
  std::size_t bytes() const { return tasks_.bytes() + other_bytes_; }

  // Takes memory for so many tasks at once, instead of step by step.
  void reserve(std::size_t bytes_of_tasks) { tasks_.reserve(bytes_of_tasks); }
  std::size_t bytes_of_tasks() const { return tasks_.used_bytes(); }

  // Calls ON_EVENT(Event&) for each event, in order, and leaves the batch empty. It may move from the event, but not make it one of another
  // kind. The texts of a TaskEnd are valid during the call.
  template <typename OnEvent>
  void replay(OnEvent&& on_event) {
    Event event = TaskEnd();
    std::size_t position = 0;
    std::size_t tasks = 0;
    const auto replay_tasks = [&](std::size_t up_to) {
      for (; tasks < up_to; ++tasks) {
        position = tasks_.unpack(position, std::get<TaskEnd>(event));
        on_event(event);
      }
    };
    for (std::size_t i = 0; i < others_.size(); ++i) {
      replay_tasks(tasks_in_front_[i]);
      on_event(others_[i]);
    }
    replay_tasks(task_count_);
    clear();
  }

 private:
  // Keeps its memory, for the events of another time.
  void clear() {
    tasks_.clear();
    task_count_ = 0;
    others_.clear();
    tasks_in_front_.clear();
    other_bytes_ = 0;
  }

  static constexpr std::size_t kFullBytes = std::size_t{256} * 1024;

  PackedTasks tasks_;
  std::size_t task_count_ = 0;
  std::vector<Event> others_;
  std::vector<std::size_t> tasks_in_front_;  // of each of the others
  std::size_t other_bytes_ = 0;
};

}  // namespace stagegate
