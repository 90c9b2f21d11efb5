// {run_dir}, {job}, {variant}, {manifest_dir}: what only a run knows.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace stagegate {

// By name, without braces.
using PlaceholderValues = std::map<std::string, std::string, std::less<>>;

// For args and command, which the manifest has checked: "{name}" becomes its value, "{{" and "}}" a brace.
std::string fill_in_template(std::string_view text, const PlaceholderValues& values);

// For conf and environment values, which have braces of their own (Spark's {{APP_ID}}, JSON): "{name}" becomes its value, everything else
// stays.
std::string fill_in_names(std::string_view text, const PlaceholderValues& values);

}  // namespace stagegate
