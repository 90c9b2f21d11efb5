#include "base/thread_group.h"

#include <atomic>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <pthread.h>
#include <sched.h>

namespace stagegate {
namespace {

cpu_set_t allowed_processors() {
  cpu_set_t allowed;
  EXPECT_EQ(::sched_getaffinity(0, sizeof allowed, &allowed), 0);
  return allowed;
}

// Starts COUNT threads; what each of them may run on.
std::vector<cpu_set_t> allowed_in_threads(int count) {
  std::vector<cpu_set_t> seen(static_cast<std::size_t>(count));
  std::atomic<std::size_t> next = 0;
  ThreadGroup threads;
  threads.start(count, [&] { seen[next++] = allowed_processors(); });
  threads.join();
  EXPECT_EQ(next, seen.size());
  return seen;
}

TEST(ThreadGroup, DoesTheWorkOnceAThread) {
  std::atomic<int> done = 0;
  {
    ThreadGroup threads;
    threads.start(0, [&] { ++done; });
    threads.start(-1, [&] { ++done; });
    threads.start(3, [&] { ++done; });
    threads.start(2, [&] { ++done; });
  }
  EXPECT_EQ(done, 5);
}

TEST(ThreadGroup, CanBeStartedAgainBehindAJoin) {
  std::atomic<int> done = 0;
  ThreadGroup threads;
  threads.start(2, [&] { ++done; });
  threads.join();
  EXPECT_EQ(done, 2);
  threads.start(1, [&] { ++done; });
  threads.join();
  EXPECT_EQ(done, 3);
}

TEST(ThreadGroup, LetsThreadsGoWhereTheirStarterMay) {
  const auto allowed = allowed_processors();
  for (const auto& seen : allowed_in_threads(5)) {
    EXPECT_TRUE(CPU_EQUAL(&seen, &allowed));
  }
}

TEST(ThreadGroup, KeepsToTheOnlyProcessorThatItsStarterMayUse) {
  const auto before = allowed_processors();
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &own);
  ASSERT_EQ(::sched_setaffinity(0, sizeof own, &own), 0);
  const auto all_seen = allowed_in_threads(3);
  ASSERT_EQ(::sched_setaffinity(0, sizeof before, &before), 0);
  for (const auto& seen : all_seen) {
    EXPECT_TRUE(CPU_EQUAL(&seen, &own));
  }
}

// Threads whose stacks are larger than any memory: the system gives none.
TEST(ThreadGroup, GoesOnWithoutThreadsThatAreNotToBeHad) {
  pthread_attr_t before;
  ASSERT_EQ(::pthread_getattr_default_np(&before), 0);
  pthread_attr_t huge;
  ASSERT_EQ(::pthread_attr_init(&huge), 0);
  ASSERT_EQ(::pthread_attr_setstacksize(&huge, std::size_t{1} << 60U), 0);
  ASSERT_EQ(::pthread_setattr_default_np(&huge), 0);
  std::atomic<int> done = 0;
  {
    ThreadGroup threads;
    threads.start(3, [&] { ++done; });
  }
  EXPECT_EQ(::pthread_setattr_default_np(&before), 0);
  ::pthread_attr_destroy(&huge);
  ::pthread_attr_destroy(&before);
  EXPECT_EQ(done, 0);
}

}  // namespace
}  // namespace stagegate
