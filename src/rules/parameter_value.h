// A rule's parameter as somebody wrote it, in the rule's own file, in one of its tests or in the manifest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "rules/document.h"
#include "rules/problems.h"
#include "rules/rule.h"

namespace stagegate {

using WrittenValue = std::variant<std::int64_t, double, std::string, bool>;

// Sizes need a unit, so a bare number is none; ratios and counts need a number; nothing is negative. The error's message has no place in
// it. Kind: usage.
Result<double> parameter_value(const std::string& name, ParameterUnit unit, const WrittenValue& written);

// The same for a value of a rule file; a mistake goes to PROBLEMS, with its place.
std::optional<double> read_parameter(const std::string& name, ParameterUnit unit, const DocumentValue& value, Problems& problems);

// "5", "1 MiB", "200": for people.
std::string format_parameter(double value, ParameterUnit unit);
// As it is written in a manifest: 5, "1 MiB", 200. A size that does not come out whole is written in bytes.
std::string write_parameter(double value, ParameterUnit unit);

// "ratio", "bytes", "count"
std::string_view to_string(ParameterUnit unit);

}  // namespace stagegate
