// Whether a stretch of a log can be passed over unread: the accumulables of a task are most of a log's bytes, and nobody needs them. The
// check runs at tens of GB/s, many times faster than any parser.
#pragma once

#include <string_view>

namespace stagegate {

// How far the text is from being balanced: what a piece of JSON out of the middle, or a whole line, must come to.
struct Balance {
  int braces = 0;    // { less }
  int brackets = 0;  // [ less ]

  friend bool operator==(const Balance&, const Balance&) = default;
};

// Whether TEXT has no control characters, no escapes and nothing but ASCII, closes its quotes, and comes to BALANCE. A line that holds
// what this allows inside its quotes, and nothing else is looked at, is taken for JSON.
bool is_plain_json(std::string_view text, const Balance& balance);

}  // namespace stagegate
