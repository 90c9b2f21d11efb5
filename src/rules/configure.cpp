#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "rules/compiled_rule.h"
#include "rules/evaluate.h"
#include "rules/parameter_value.h"

namespace stagegate {
namespace {

struct Mistake {
  Position at;
  std::string message;
};

using Written = std::map<std::string, RuleParameterValue>;

std::string unknown_rule(const std::string& id, std::span<const Rule> rules) {
  std::vector<std::string> ids;
  std::transform(rules.begin(), rules.end(), std::back_inserter(ids), [](const Rule& rule) { return rule.id; });
  const auto hint = did_you_mean(id, ids);
  return fmt::format("unknown rule '{}'{}", id, hint.empty() ? "; there are " + join(ids, ", ") : hint);
}

std::string unknown_parameter(const std::string& name, const Rule& rule) {
  if (rule.parameters.empty()) {
    return fmt::format("rule '{}' has no parameter '{}': it has none", rule.id, name);
  }
  std::vector<std::string> names;
  std::transform(rule.parameters.begin(), rule.parameters.end(), std::back_inserter(names), [](const auto& one) { return one.name; });
  const auto hint = did_you_mean(name, names);
  return fmt::format("rule '{}' has no parameter '{}'{}", rule.id, name, hint.empty() ? "; it has " + join(names, ", ") : hint);
}

const RuleParameter* find_parameter(const Rule& rule, const std::string& name) {
  const auto found = std::find_if(rule.parameters.begin(), rule.parameters.end(), [&](const auto& one) { return one.name == name; });
  return found == rule.parameters.end() ? nullptr : &*found;
}

void check_parameters(const Rule& rule, const Written& written, std::vector<Mistake>& mistakes) {
  for (const auto& [name, value] : written) {
    const auto* parameter = find_parameter(rule, name);
    if (parameter == nullptr) {
      mistakes.push_back({value.key_at, unknown_parameter(name, rule)});
    } else if (const auto number = parameter_value(name, parameter->unit, value.value); !number) {
      mistakes.push_back({value.at, number.error().message});
    }
  }
}

void check_rule(std::span<const Rule> rules, const RuleSettings& settings, std::vector<Mistake>& mistakes) {
  const auto rule = std::find_if(rules.begin(), rules.end(), [&](const Rule& one) { return one.id == settings.id; });
  if (rule == rules.end()) {
    mistakes.push_back({settings.at, unknown_rule(settings.id, rules)});
    return;
  }
  check_parameters(*rule, settings.parameters, mistakes);
  for (const auto& rule_override : settings.overrides) {
    check_parameters(*rule, rule_override.parameters, mistakes);
  }
}

bool before(const Mistake& a, const Mistake& b) {
  return std::tie(a.at.file, a.at.line, a.at.column) < std::tie(b.at.file, b.at.line, b.at.column);
}

// What does not fit was told by check_settings() and stays at its default here.
void apply_parameters(const Written& written, ConfiguredRule& configured) {
  for (const auto& [name, value] : written) {
    const auto* parameter = find_parameter(*configured.rule, name);
    if (parameter == nullptr) {
      continue;
    }
    if (const auto number = parameter_value(name, parameter->unit, value.value)) {
      configured.parameters[name] = *number;
    }
  }
}

void apply(const RuleSettings& settings, const std::string& job, const std::string& variant, ConfiguredRule& configured) {
  configured.level = settings.level.value_or(configured.level);
  apply_parameters(settings.parameters, configured);
  const auto fits = [&](const RuleOverride& one) { return matches_glob(one.job, job) && matches_glob(one.variant, variant); };
  const auto fitting = std::find_if(settings.overrides.begin(), settings.overrides.end(), fits);
  if (fitting != settings.overrides.end()) {
    configured.level = fitting->level.value_or(configured.level);
    apply_parameters(fitting->parameters, configured);
  }
}

}  // namespace

Status check_settings(std::span<const Rule> rules, std::span<const RuleSettings> settings) {
  std::vector<Mistake> mistakes;
  for (const auto& one : settings) {
    check_rule(rules, one, mistakes);
  }
  if (mistakes.empty()) {
    return {};
  }
  std::stable_sort(mistakes.begin(), mistakes.end(), before);
  std::vector<std::string> lines;
  std::transform(mistakes.begin(), mistakes.end(), std::back_inserter(lines),
                 [](const Mistake& mistake) { return fmt::format("{}: {}", to_string(mistake.at), mistake.message); });
  return fail(ErrorKind::usage, join(lines, "\n"));
}

std::vector<ConfiguredRule> configure(std::span<const Rule> rules, std::span<const RuleSettings> settings, const std::string& job,
                                      const std::string& variant) {
  std::vector<ConfiguredRule> configured;
  for (const auto& rule : rules) {
    ConfiguredRule one{.rule = &rule, .level = rule.level, .parameters = default_parameters(rule)};
    for (const auto& setting : settings) {
      if (setting.id == rule.id) {
        apply(setting, job, variant, one);
      }
    }
    if (one.level != Level::off) {
      configured.push_back(std::move(one));
    }
  }
  return configured;
}

}  // namespace stagegate
