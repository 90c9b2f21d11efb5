// What a manifest says of rules. The manifest does not know the rules; rules/evaluate.h holds these against them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/finding.h"
#include "model/job_variant.h"

namespace stagegate {

// A parameter as written; whether "1 MiB" or 5 fits is for the rule to say.
struct RuleParameterValue {
  std::variant<std::int64_t, double, std::string, bool> value;
  Position at;      // of the value
  Position key_at;  // of the key
};

// [[rules.ID.override]]: the first one whose globs fit a job variant is used, over the rule's own table.
struct RuleOverride {
  std::string job = "*";
  std::string variant = "*";
  std::optional<Level> level;
  std::map<std::string, RuleParameterValue> parameters;
  Position at;
};

// [rules.ID]
struct RuleSettings {
  std::string id;
  std::optional<Level> level;
  std::map<std::string, RuleParameterValue> parameters;
  std::vector<RuleOverride> overrides;
  Position at;
};

// [[suppress]]
struct Suppression {
  std::string rule;  // globs
  std::string job = "*";
  std::string variant = "*";
  std::string stage = "*";  // over the stage's label
  std::string reason;
  std::optional<std::string> until;  // "2027-03-01": the last day on which it holds
  Position at;
};

// Whether its globs fit a finding of RULE at the stage of this label, of this job variant; whatever the date.
bool covers(const Suppression& suppression, std::string_view job, std::string_view variant, std::string_view rule,
            std::string_view stage_label);

// Whether its last day has passed. TODAY: "2026-11-29".
bool is_expired(const Suppression& suppression, std::string_view today);

}  // namespace stagegate
