#include "base/thread_group.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include <sched.h>

namespace stagegate {
namespace {

// The processors that the calling thread may use.
std::optional<cpu_set_t> allowed_processors() {
  cpu_set_t allowed;
  return ::sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? std::optional(allowed) : std::nullopt;
}

// Those but for the one that the calling thread is on; nothing where that is the only one.
std::optional<cpu_set_t> other_processors(const std::optional<cpu_set_t>& allowed) {
  const auto own = ::sched_getcpu();
  if (!allowed || own < 0) {
    return std::nullopt;
  }
  auto others = *allowed;
  CPU_CLR(static_cast<std::size_t>(own), &others);
  return CPU_COUNT(&others) == 0 ? std::nullopt : std::optional(others);
}

struct Task {
  std::function<void()> work;
  std::optional<cpu_set_t> allowed;  // once it has begun
};

void* do_task(void* argument) {
  const std::unique_ptr<Task> task(static_cast<Task*>(argument));
  if (task->allowed) {
    ::sched_setaffinity(0, sizeof *task->allowed, &*task->allowed);
  }
  task->work();
  return nullptr;
}

// BEGIN_ON: nothing: wherever the system likes.
std::optional<pthread_t> start_thread(const std::function<void()>& work, const std::optional<cpu_set_t>& allowed,
                                      const std::optional<cpu_set_t>& begin_on) {
  auto task = std::make_unique<Task>(Task{work, begin_on ? allowed : std::nullopt});
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  if (begin_on) {
    ::pthread_attr_setaffinity_np(&attributes, sizeof *begin_on, &*begin_on);
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
  const auto allowed = allowed_processors();
  for (int i = 0; i < count; ++i) {
    const auto others = other_processors(allowed);
    auto thread = start_thread(work, allowed, others);
    if (!thread && others) {
      thread = start_thread(work, allowed, std::nullopt);
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
