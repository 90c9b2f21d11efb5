// A small rule file that tests change a line of.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace stagegate::testing {

inline constexpr std::string_view kRuleText = R"toml(id = "wide"
scope = "stage"
level = "warning"
title = "too many tasks"
summary = "There are many."
why = "They cost."
advice = "Use fewer."
message = "{tasks} tasks (limit {limit})"
when = "tasks > limit"
value = "tasks"
unit = "count"
tolerance = 0.25
unless = ["skew"]

[parameters.limit]
default = 100
unit = "count"
help = "How many there may be."

[[test]]
name = "over"
fires = true
value = 101
stage = { tasks = 101 }

[[test]]
name = "at"
fires = false
stage = { tasks = 100 }
)toml";

// kRuleText with its first FROM replaced by TO.
inline std::string rule_with(std::string_view from, std::string_view to, std::string_view text = kRuleText) {
  std::string changed(text);
  const auto at = changed.find(from);
  if (at == std::string::npos) {
    throw std::invalid_argument("no such text in the rule: " + std::string(from));
  }
  return changed.replace(at, from.size(), to);
}

}  // namespace stagegate::testing
