// One key of a terminal at a time, without Enter.
//
// Only standard input's terminal is changed: no echo, no waiting for a line. ^C, ^Z and ^\ stay signals. Whatever ends or stops the
// process, short of SIGKILL, leaves the terminal as it was; after a stop it is taken again.
#pragma once

#include <cstdint>
#include <string>

namespace stagegate {

enum class KeyKind : std::uint8_t {
  character,    // one that is printed, or Enter as '\n'
  other,        // an arrow, a function key, part of a character that is not ASCII
  resumed,      // no key: the process was stopped and goes on, so that what was shown may be gone
  end,          // ^D, or the terminal went away
  interrupted,  // a signal that watch_interrupts() notes
};

struct Key {
  KeyKind kind = KeyKind::other;
  char character = '\0';
};

struct TypedLine {
  KeyKind kind = KeyKind::character;  // `other` never comes
  std::string text;                   // of `character`: without the line feed
};

// There may be one at a time. What it waits for is standard input and the signals of watch_interrupts(), which must have been called.
class Keyboard {
 public:
  static bool is_there();

  Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;
  ~Keyboard();

  Key read_key();
  // A line as the terminal itself edits it, with echo.
  TypedLine read_line();
};

}  // namespace stagegate
