// Whether a stretch of a log can be passed over unread: the accumulables of a task are most of a log's bytes, and nobody needs them. The
// check runs at tens of GB/s, many times faster than any parser.
#pragma once

#include <string_view>

namespace stagegate {

// Whether TEXT has no control characters, no escapes and nothing but ASCII, closes its quotes, and opens OPEN braces and brackets more than
// it closes: a whole line none, a piece out of the middle what is left. A line that holds what this allows inside its quotes, and nothing
// else is looked at, is taken for JSON; which kind of bracket closes another is not looked at either.
bool is_plain_json(std::string_view text, int open = 0);

// The ways to find out, of which is_plain_json() takes the fastest that the processor has; all say the same.
using PlainCheck = bool(std::string_view text, int open);
PlainCheck plain_check_with_vectors;  // what the compiler makes of vectors, at best AVX2
// With table look-ups of AVX-512 VBMI, twice as fast: Intel since 2019, AMD since 2022. Null where the processor has none.
PlainCheck* plain_check_with_avx512();

}  // namespace stagegate
