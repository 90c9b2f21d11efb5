// What has to be seen to before toml++ is given a text: it descends into keys by recursion, without a limit.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace stagegate {

// An error with its place where a key has more than 500 parts (a.b.c...), each of which would be a table inside the one before. Dots inside
// quotes do not count. FILE is for the message. Kind: usage.
Status check_key_depth(std::string_view text, const std::string& file);

}  // namespace stagegate
