#include "sys/interrupt.h"

#include <poll.h>

#include <csignal>
#include <cstdlib>

#include <gtest/gtest.h>

#include "sys/process.h"

namespace stagegate {
namespace {

bool is_readable(int descriptor) {
  pollfd watched{descriptor, POLLIN, 0};
  return ::poll(&watched, 1, 0) == 1;
}

// Each in a process of its own, since what has been noted stays noted; it ends with 0 where the expectation holds.
[[noreturn]] void end_with(bool expectation) {
  std::_Exit(expectation ? 0 : 1);
}

TEST(InterruptDeathTest, NotesTheFirstSignalAndGoesOn) {
  EXPECT_EXIT(
      {
        watch_interrupts();
        const bool quiet = !interrupt_signal() && !is_readable(interrupt_descriptor());
        std::raise(SIGTERM);
        end_with(quiet && interrupt_signal() == SIGTERM && is_readable(interrupt_descriptor()));
      },
      testing::ExitedWithCode(0), "");
}

TEST(InterruptDeathTest, StaysReadable) {
  EXPECT_EXIT(
      {
        watch_interrupts();
        std::raise(SIGINT);
        end_with(is_readable(interrupt_descriptor()) && is_readable(interrupt_descriptor()));
      },
      testing::ExitedWithCode(0), "");
}

TEST(InterruptDeathTest, EndsAtTheSecondSignalWith128AndItsNumber) {
  EXPECT_EXIT(
      {
        watch_interrupts();
        std::raise(SIGINT);
        std::raise(SIGTERM);
        end_with(false);
      },
      testing::ExitedWithCode(143), "");
  EXPECT_EXIT(
      {
        watch_interrupts();
        std::raise(SIGINT);
        std::raise(SIGINT);
        end_with(false);
      },
      testing::ExitedWithCode(130), "");
}

TEST(InterruptDeathTest, KillsTheChildrenAtTheSecondSignal) {
  // The child holds the death test's error output open: if it lived, EXPECT_EXIT would wait for it.
  EXPECT_EXIT(
      {
        watch_interrupts();
        const auto child = Process::start({{"sleep", "1000"}, {}, "", "", "/proc/self/fd/2"});
        std::raise(SIGINT);
        std::raise(SIGINT);
        end_with(child.has_value());
      },
      testing::ExitedWithCode(130), "");
}

TEST(InterruptDeathTest, LetsAnIgnoredHangupBeIgnored) {
  EXPECT_EXIT(
      {
        std::signal(SIGHUP, SIG_IGN);
        watch_interrupts();
        std::raise(SIGHUP);
        end_with(!interrupt_signal());
      },
      testing::ExitedWithCode(0), "");
}

TEST(Interrupt, IsNotWatchedUnlessAskedFor) {
  EXPECT_EQ(interrupt_descriptor(), -1);
  EXPECT_EQ(interrupt_signal(), std::nullopt);
}

}  // namespace
}  // namespace stagegate
