// Threads for short work, where every one counts from its first millisecond.
#pragma once

#include <functional>
#include <vector>

#include <pthread.h>

namespace stagegate {

// Where the system lets it, a new thread begins on another processor than the one that its starter keeps busy, and may go wherever its
// starter may from then on. Left alone, schedulers that pack threads onto few processors let it wait there for milliseconds, which is
// longer than many a log takes.
class ThreadGroup {
 public:
  ThreadGroup() = default;
  ThreadGroup(const ThreadGroup&) = delete;
  ThreadGroup& operator=(const ThreadGroup&) = delete;
  ~ThreadGroup() { join(); }

  // Adds COUNT threads that do WORK, which may not throw, or as many as the system gives: containers and users have a limit of them.
  void start(int count, const std::function<void()>& work);
  // Waits until the work of all is done.
  void join();

 private:
  std::vector<pthread_t> threads_;
};

}  // namespace stagegate
