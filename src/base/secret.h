// Which names stand for secrets, so that their values stay out of everything that is written or shown.
#pragma once

#include <string_view>

namespace stagegate {

// Spark's own pattern for redaction, `(?i)secret|password|token|access[.]?key`, and "credential" and "access_key", as environment
// variables spell it.
bool is_secret_name(std::string_view name);

// What stands in the place of a secret, as Spark writes it.
inline constexpr std::string_view kRedacted = "*********(redacted)";

}  // namespace stagegate
