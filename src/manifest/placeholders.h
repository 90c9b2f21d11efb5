// {run_dir}, {job}, {variant} and {manifest_dir} in args and command. run/ fills them in; here they are only checked.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stagegate::manifest {

// What is wrong with the braces of TEXT: a name that is not known, or a brace without its partner. "{{" and "}}" are literal braces.
std::optional<std::string> find_bad_placeholder(std::string_view text);

}  // namespace stagegate::manifest
