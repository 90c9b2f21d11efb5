// ${NAME} in the strings of a manifest: environment variables.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace stagegate::manifest {

using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// Whether braces in the value of a variable are doubled, so that they stay braces where placeholders are filled in later.
enum class InsertedBraces { as_they_are, doubled };

//   ${NAME}            the variable's value; an error where it is not set
//   ${NAME:-default}   the default where it is not set or empty, as a shell has it; variables in the default are filled in too
//   $$                 a literal '$'
// A '$' before anything else is itself. The default ends at the '}' that closes the '${', so it may hold a {placeholder}.
// The error's message has no place in it: the caller knows it.
Result<std::string> fill_in_environment(std::string_view text, const Environment& environment, InsertedBraces braces);

}  // namespace stagegate::manifest
