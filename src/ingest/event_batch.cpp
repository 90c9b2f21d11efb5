#include "ingest/event_batch.h"

#include <utility>
#include <variant>

namespace stagegate {

void EventBatch::add(Event& event, std::size_t line_bytes) {
  if (const auto* task = std::get_if<TaskEnd>(&event)) {
    tasks_.add(*task);
    ++task_count_;
    return;
  }
  others_.push_back(std::move(event));
  tasks_in_front_.push_back(task_count_);
  other_bytes_ += sizeof(Event) + line_bytes;
}

}  // namespace stagegate
