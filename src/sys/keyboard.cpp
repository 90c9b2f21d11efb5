#include "sys/keyboard.h"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <optional>

#include "sys/interrupt.h"

namespace stagegate {
namespace {

constexpr char kEscape = '\x1b';
constexpr char kEndOfInput = '\x04';
constexpr std::array<int, 4> kEndingSignals{SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr std::array<int, 2> kStopSignals{SIGTSTP, SIGCONT};

// What the signal handlers need. The two modes do not change while the handlers are set.
termios line_mode{};
termios key_mode{};
std::atomic<bool> wants_keys{false};
std::atomic<bool> was_resumed{false};
std::array<struct sigaction, kEndingSignals.size()> ending_actions{};
std::array<struct sigaction, kStopSignals.size()> stop_actions{};

// From the background nobody's terminal is changed: there it belongs to a shell.
bool is_in_foreground() {
  return ::tcgetpgrp(STDIN_FILENO) == ::getpgrp();
}

// What was typed ahead is kept.
void set_mode(const termios& mode) {
  if (is_in_foreground()) {
    ::tcsetattr(STDIN_FILENO, TCSADRAIN, &mode);
  }
}

// Handlers: only what is async-signal-safe.

// Gives the terminal back, then lets the signal do what it would have done.
void leave(int signal) {
  const int saved_errno = errno;
  set_mode(line_mode);
  for (std::size_t i = 0; i < kEndingSignals.size(); ++i) {
    if (kEndingSignals[i] == signal) {
      ::sigaction(signal, &ending_actions[i], nullptr);
    }
  }
  ::raise(signal);
  errno = saved_errno;
}

void go_on(int /*signal*/) {
  const int saved_errno = errno;
  if (wants_keys.load()) {
    set_mode(key_mode);
  }
  was_resumed.store(true);
  errno = saved_errno;
}

// Stops as if nobody had handled ^Z, which the kernel does not do where no shell could let the process go on.
void stop(int signal) {
  const int saved_errno = errno;
  set_mode(line_mode);
  struct sigaction ours {};
  ::sigaction(signal, stop_actions.data(), &ours);
  sigset_t this_one;
  ::sigemptyset(&this_one);
  ::sigaddset(&this_one, signal);
  ::raise(signal);
  ::sigprocmask(SIG_UNBLOCK, &this_one, nullptr);  // here it stops, and goes on
  ::sigprocmask(SIG_BLOCK, &this_one, nullptr);
  ::sigaction(signal, &ours, nullptr);
  go_on(signal);
  errno = saved_errno;
}

// No SA_RESTART: a read or poll that waits must see that something happened.
void handle(int signal, void (*handler)(int), struct sigaction& old) {
  ::sigaction(signal, nullptr, &old);
  if (old.sa_handler == SIG_IGN) {
    return;
  }
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

enum class Waited : std::uint8_t { ready, interrupted, resumed, nothing };

Waited wait_for_input(int timeout_ms) {
  std::array<pollfd, 2> watched{pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{interrupt_descriptor(), POLLIN, 0}};
  for (;;) {
    const int ready = ::poll(watched.data(), watched.size(), timeout_ms);
    if (interrupt_signal()) {
      return Waited::interrupted;
    }
    if (was_resumed.exchange(false)) {
      return Waited::resumed;
    }
    if (ready > 0) {
      return Waited::ready;
    }
    if (ready == 0 || errno != EINTR) {
      return Waited::nothing;
    }
  }
}

// A byte of standard input, or why there is none.
Key read_byte() {
  switch (wait_for_input(-1)) {
    case Waited::interrupted:
      return {KeyKind::interrupted};
    case Waited::resumed:
      return {KeyKind::resumed};
    case Waited::nothing:
      return {KeyKind::end};
    case Waited::ready:
      break;
  }
  char byte = '\0';
  const auto count = ::read(STDIN_FILENO, &byte, 1);
  if (count < 0 && errno == EINTR) {
    return {KeyKind::resumed};  // the next wait says which signal it was
  }
  return count == 1 ? Key{KeyKind::character, byte} : Key{KeyKind::end};
}

// An arrow comes as ESC and letters, which must not be taken for keys of their own.
void skip_escape_sequence() {
  constexpr int kMostMs = 30;
  char byte = '\0';
  while (wait_for_input(kMostMs) == Waited::ready && ::read(STDIN_FILENO, &byte, 1) == 1) {
    const bool ends = (byte >= 'A' && byte <= 'Z' && byte != 'O') || (byte >= 'a' && byte <= 'z') || byte == '~';
    if (ends) {
      return;
    }
  }
}

bool is_printed(char byte) {
  return (byte >= 0x20 && byte < 0x7F) || byte == '\n';
}

}  // namespace

bool Keyboard::is_there() {
  return ::isatty(STDIN_FILENO) == 1;
}

Keyboard::Keyboard() {
  ::tcgetattr(STDIN_FILENO, &line_mode);
  key_mode = line_mode;
  key_mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  key_mode.c_cc[VMIN] = 1;
  key_mode.c_cc[VTIME] = 0;
  wants_keys.store(true);
  for (std::size_t i = 0; i < kEndingSignals.size(); ++i) {
    handle(kEndingSignals[i], leave, ending_actions[i]);
  }
  handle(SIGTSTP, stop, stop_actions[0]);
  handle(SIGCONT, go_on, stop_actions[1]);
  set_mode(key_mode);
}

Keyboard::~Keyboard() {
  wants_keys.store(false);
  set_mode(line_mode);
  for (std::size_t i = 0; i < kEndingSignals.size(); ++i) {
    ::sigaction(kEndingSignals[i], &ending_actions[i], nullptr);
  }
  for (std::size_t i = 0; i < kStopSignals.size(); ++i) {
    ::sigaction(kStopSignals[i], &stop_actions[i], nullptr);
  }
}

Key Keyboard::read_key() {
  auto key = read_byte();
  if (key.kind == KeyKind::character && key.character == kEndOfInput) {
    return {KeyKind::end};
  }
  if (key.kind == KeyKind::character && key.character == kEscape) {
    skip_escape_sequence();
    return {KeyKind::other};
  }
  if (key.kind == KeyKind::character && !is_printed(key.character)) {
    return {KeyKind::other};
  }
  return key;
}

TypedLine Keyboard::read_line() {
  TypedLine line;
  wants_keys.store(false);
  set_mode(line_mode);
  for (auto key = read_byte();; key = read_byte()) {
    const bool is_text = key.kind == KeyKind::character;
    if (!is_text || key.character == '\n') {
      line.kind = key.kind;
      break;
    }
    line.text += key.character;
  }
  // Where the end has come the terminal stays given back: a second signal ends the process at once.
  if (line.kind == KeyKind::character || line.kind == KeyKind::resumed) {
    wants_keys.store(true);
    set_mode(key_mode);
  }
  return line;
}

}  // namespace stagegate
