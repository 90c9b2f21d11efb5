// What of an error message tells one error from another, and people what happened.
#pragma once

#include <string>
#include <string_view>

namespace stagegate {

// The line that says what happened: the first one, or of a Python traceback the exception below the frames. Points into TEXT.
std::string_view error_line(std::string_view text);

// With "#" for each number and address: those differ between failures of one kind, and what is left differs between kinds.
std::string without_numbers(std::string_view text);

}  // namespace stagegate
