#include "sys/interrupt.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>

#include "sys/process.h"

namespace stagegate {
namespace {

std::atomic<int> first_signal{0};
std::atomic<int> event_descriptor{-1};
static_assert(std::atomic<int>::is_always_lock_free);

// Runs at any point of the program: only what is async-signal-safe.
void note_signal(int signal) {
  const int saved_errno = errno;
  int none = 0;
  if (!first_signal.compare_exchange_strong(none, signal)) {
    kill_all_groups();
    ::_exit(128 + signal);
  }
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(event_descriptor.load(), &one, sizeof one);
  errno = saved_errno;
}

void watch(int signal) {
  struct sigaction old {};
  ::sigaction(signal, nullptr, &old);
  if (signal == SIGHUP && old.sa_handler == SIG_IGN) {
    return;
  }
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void watch_interrupts() {
  if (event_descriptor.load() < 0) {
    event_descriptor.store(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  }
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    watch(signal);
  }
}

std::optional<int> interrupt_signal() {
  const int signal = first_signal.load();
  return signal == 0 ? std::nullopt : std::optional(signal);
}

int interrupt_descriptor() {
  return event_descriptor.load();
}

}  // namespace stagegate
