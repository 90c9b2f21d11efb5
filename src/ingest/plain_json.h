// Whether a stretch of a log can be passed over unread: the accumulables of a task are most of a log's bytes, and nobody needs them. The
// check runs at tens of GB/s, many times faster than any parser.
#pragma once

#include <string_view>

namespace stagegate {

// Whether TEXT has no control characters, no escapes and nothing but ASCII, closes its quotes, and opens OPEN braces and brackets more than
// it closes: a whole line none, a piece out of the middle what is left. A line that holds what this allows inside its quotes, and nothing
// else is looked at, is taken for JSON; which kind of bracket closes another is not looked at either.
bool is_plain_json(std::string_view text, int open = 0);

}  // namespace stagegate
