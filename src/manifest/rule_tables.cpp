#include "manifest/rule_tables.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"

namespace stagegate::manifest {
namespace {

std::optional<Level> read_level(TableReader& table) {
  const auto text = table.text("level");
  if (!text) {
    return std::nullopt;
  }
  for (const auto level : {Level::off, Level::warning, Level::error}) {
    if (text->value == to_string(level)) {
      return level;
    }
  }
  table.problem(text->at, fmt::format("'level' {} must be error, warning or off, not '{}'", table.where(), text->value));
  return std::nullopt;
}

bool holds_tables(const decltype(Value::data)& data) {
  const auto* array = std::get_if<Array>(&data);
  return std::holds_alternative<Table>(data) || (array != nullptr && !array->empty() && std::holds_alternative<Table>(array->front().data));
}

std::optional<RuleParameterValue> read_parameter(TableReader& table, const Entry& entry) {
  const auto& data = entry.value.data;
  if (const auto* integer = std::get_if<std::int64_t>(&data)) {
    return RuleParameterValue{*integer, entry.value.at, entry.at};
  }
  if (const auto* number = std::get_if<double>(&data)) {
    return RuleParameterValue{*number, entry.value.at, entry.at};
  }
  if (const auto* boolean = std::get_if<bool>(&data)) {
    return RuleParameterValue{*boolean, entry.value.at, entry.at};
  }
  if (std::holds_alternative<std::string>(data)) {
    auto text = table.filled_in(entry.value);
    return text ? std::optional(RuleParameterValue{*std::move(text), entry.value.at, entry.at}) : std::nullopt;
  }
  // No parameter holds a table: it is a misspelt [[override]].
  if (holds_tables(data)) {
    table.unknown_key(entry);
  } else {
    table.wrong_type(entry, "a number, a string or a boolean");
  }
  return std::nullopt;
}

// All that was not asked for before.
std::map<std::string, RuleParameterValue> read_parameters(TableReader& table) {
  std::map<std::string, RuleParameterValue> parameters;
  for (const auto* entry : table.other_entries()) {
    if (auto parameter = read_parameter(table, *entry)) {
      parameters.emplace(entry->key, *std::move(parameter));
    }
  }
  return parameters;
}

std::string read_glob(TableReader& table, std::string_view key) {
  auto text = table.some_text(key);
  return text ? std::move(text->value) : "*";
}

// A glob over the names of jobs or variants, one of which it must fit.
std::string read_glob_over(TableReader& table, std::string_view key, const std::vector<std::string>& names) {
  auto text = table.some_text(key);
  if (!text) {
    return "*";
  }
  if (std::none_of(names.begin(), names.end(), [&](const std::string& name) { return matches_glob(text->value, name); })) {
    table.problem(text->at, fmt::format("no {} fits '{}' {}{}", key, text->value, table.where(), did_you_mean(text->value, names)));
  }
  return std::move(text->value);
}

RuleOverride read_override(TableReader table, const std::vector<std::string>& jobs, const std::vector<std::string>& variants) {
  RuleOverride override_table;
  override_table.at = table.at();
  override_table.job = read_glob_over(table, "job", jobs);
  override_table.variant = read_glob_over(table, "variant", variants);
  override_table.level = read_level(table);
  override_table.parameters = read_parameters(table);
  return override_table;
}

RuleSettings read_rule(TableReader table, const std::string& id, const std::vector<std::string>& jobs,
                       const std::vector<std::string>& variants) {
  RuleSettings rule;
  rule.id = id;
  rule.at = table.at();
  rule.level = read_level(table);
  for (auto& override_table : table.tables("override")) {
    rule.overrides.push_back(read_override(std::move(override_table), jobs, variants));
  }
  rule.parameters = read_parameters(table);
  return rule;
}

// A text that must be there; where it is blank, that has been said.
std::string read_required(TableReader& table, std::string_view key, std::string_view why) {
  if (!table.has(key)) {
    table.problem(table.at(), fmt::format("'{}' is missing {}: {}", key, table.where(), why));
  }
  auto text = table.some_text(key);
  return text ? std::move(text->value) : std::string();
}

Suppression read_suppression(TableReader table) {
  Suppression suppression;
  suppression.at = table.at();
  suppression.rule = read_required(table, "rule", "it says which findings are meant");
  suppression.job = read_glob(table, "job");
  suppression.variant = read_glob(table, "variant");
  suppression.stage = read_glob(table, "stage");
  suppression.reason = read_required(table, "reason", "whoever reads this later must know why");
  if (auto until = table.date("until")) {
    suppression.until = std::move(until->text);
  }
  table.unknown_keys_are_problems();
  return suppression;
}

}  // namespace

std::vector<RuleSettings> read_rules(TableReader& file, const std::vector<std::string>& jobs, const std::vector<std::string>& variants) {
  std::vector<RuleSettings> rules;
  auto section = file.table("rules");
  if (!section) {
    return rules;
  }
  for (const auto& entry : section->entries()) {
    if (auto table = section->table(entry)) {
      rules.push_back(read_rule(*std::move(table), entry.key, jobs, variants));
    }
  }
  return rules;
}

std::vector<Suppression> read_suppressions(TableReader& file) {
  std::vector<Suppression> suppressions;
  for (auto& table : file.tables("suppress")) {
    suppressions.push_back(read_suppression(std::move(table)));
  }
  return suppressions;
}

}  // namespace stagegate::manifest
