#include "base/thread_group.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include <sched.h>

namespace stagegate {
namespace {

// Of a thread.
struct Processors {
  cpu_set_t first;  // those that it begins on
  cpu_set_t later;  // those that it may go to
};

// All that the calling thread may use, and at first not the one that it is on; nothing where that leaves no choice.
std::optional<Processors> processors_of_new_thread() {
  Processors processors;
  auto& [first, later] = processors;
  const auto own = ::sched_getcpu();
  if (own < 0 || ::sched_getaffinity(0, sizeof later, &later) != 0) {
    return std::nullopt;
  }
  first = later;
  CPU_CLR(static_cast<std::size_t>(own), &first);
  return CPU_COUNT(&first) == 0 ? std::nullopt : std::optional(processors);
}

struct Task {
  std::function<void()> work;
  std::optional<Processors> processors;
};

void* do_task(void* argument) {
  const std::unique_ptr<Task> task(static_cast<Task*>(argument));
  if (const auto& processors = task->processors) {
    ::sched_setaffinity(0, sizeof processors->later, &processors->later);
  }
  task->work();
  return nullptr;
}

// Without PROCESSORS the system chooses.
std::optional<pthread_t> start_thread(const std::function<void()>& work, const std::optional<Processors>& processors) {
  auto task = std::make_unique<Task>(Task{work, processors});
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  if (processors) {
    ::pthread_attr_setaffinity_np(&attributes, sizeof processors->first, &processors->first);
  }
  pthread_t thread{};
  const bool started = ::pthread_create(&thread, &attributes, do_task, task.get()) == 0;
  ::pthread_attr_destroy(&attributes);
  if (!started) {
    return std::nullopt;
  }
  [[maybe_unused]] const auto* of_the_thread = task.release();
  return thread;
}

}  // namespace

void ThreadGroup::start(int count, const std::function<void()>& work) {
  if (count <= 0) {
    return;
  }
  threads_.reserve(threads_.size() + static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const auto processors = processors_of_new_thread();
    auto thread = start_thread(work, processors);
    if (!thread && processors) {
      thread = start_thread(work, std::nullopt);
    }
    if (!thread) {
      return;
    }
    threads_.push_back(*thread);
  }
}

void ThreadGroup::join() {
  for (const auto thread : std::exchange(threads_, {})) {
    ::pthread_join(thread, nullptr);
  }
}

}  // namespace stagegate
