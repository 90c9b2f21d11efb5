// Work that falls into pieces which know nothing of each other, done by several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>

#include "base/thread_group.h"

namespace stagegate {

// Calls WORK(i) for each i below COUNT, on THREADS threads of which the calling one is one. When it comes back all are done, or an
// exception of one of them is thrown on.
template <typename Work>
void work_together(std::size_t count, int threads, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr exception;
  std::mutex mutex;
  const auto take_turns = [&] {
    try {
      for (auto i = next++; i < count; i = next++) {
        work(i);
      }
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      exception = std::current_exception();
    }
  };
  ThreadGroup others;
  const auto useful = static_cast<int>(std::min<std::size_t>(count, 1024));
  others.start(std::min(threads, useful) - 1, take_turns);
  take_turns();
  others.join();
  if (exception) {
    std::rethrow_exception(exception);
  }
}

}  // namespace stagegate
