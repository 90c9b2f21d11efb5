#include "rules/compiled_rule.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "rules/parameter_value.h"

namespace stagegate {

Parameters default_parameters(const Rule& rule) {
  Parameters parameters;
  for (const auto& parameter : rule.parameters) {
    parameters[parameter.name] = parameter.value;
  }
  return parameters;
}

CompiledRule::CompiledRule(const Rule& rule, Parameters parameters, Bound when, Bound value)
    : rule_(&rule),
      parameters_(std::move(parameters)),
      when_(std::move(when)),
      value_(std::move(value)),
      message_(parse_template(rule.message, [](std::string_view) { return std::string(); }).sections) {}

Result<CompiledRule::Bound> CompiledRule::bind(const std::string& text, const Rule& rule, const Parameters& parameters) {
  STAGEGATE_TRY_ASSIGN(expression, Expression::compile(text));
  Bound bound{std::move(expression), {}};
  for (std::size_t i = 0; i < bound.expression.names().size(); ++i) {
    const auto& name = bound.expression.names()[i];
    bound.names.push_back(find_name(rule.scope, name));
    if (const auto parameter = parameters.find(name); parameter != parameters.end()) {
      bound.expression.values()[i] = parameter->second;
    }
  }
  return bound;
}

Result<CompiledRule> CompiledRule::compile(const Rule& rule, Parameters parameters) {
  STAGEGATE_TRY_ASSIGN(when, bind(rule.when, rule, parameters));
  STAGEGATE_TRY_ASSIGN(value, bind(rule.value, rule, parameters));
  return CompiledRule(rule, std::move(parameters), std::move(when), std::move(value));
}

Result<double> CompiledRule::evaluate(Bound& bound, const char* key, const Values& values) {
  const auto slots = bound.expression.values();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (bound.names[i] != nullptr) {
      slots[i] = values(*bound.names[i]);
    }
  }
  const auto result = bound.expression.evaluate();
  if (result.divided_by_zero) {
    return fail(ErrorKind::usage, fmt::format("'{}' divides by zero", key));
  }
  return result.value;
}

Result<bool> CompiledRule::fires(const Values& values) {
  return evaluate(when_, "when", values).map(is_true);
}

Result<double> CompiledRule::value(const Values& values) {
  STAGEGATE_TRY_ASSIGN(value, evaluate(value_, "value", values));
  if (is_unknown(value)) {
    return fail(ErrorKind::usage, "'value' is unknown where 'when' is true");
  }
  return value;
}

bool CompiledRule::compares_with_baseline() const {
  const auto is_accepted = [](const NameInfo* name) { return name != nullptr && is_of_baseline(name->kind); };
  return std::any_of(when_.names.begin(), when_.names.end(), is_accepted) ||
         std::any_of(value_.names.begin(), value_.names.end(), is_accepted);
}

bool CompiledRule::compares_runs() const {
  const auto is_runs = [](const NameInfo* name) { return name != nullptr && is_of_runs(name->kind); };
  return std::any_of(when_.names.begin(), when_.names.end(), is_runs) || std::any_of(value_.names.begin(), value_.names.end(), is_runs);
}

PrintedValue CompiledRule::print(const std::string& name, const Values& values, const Texts& texts, double value) const {
  if (name == "value") {
    return {value, format_value(thousandths_of(value), rule_->unit)};
  }
  const auto parameter =
      std::find_if(rule_->parameters.begin(), rule_->parameters.end(), [&](const auto& one) { return one.name == name; });
  if (parameter != rule_->parameters.end()) {
    const double setting = parameters_.at(name);
    return {setting, format_parameter(setting, parameter->unit)};
  }
  if (const auto text = find_text_name(rule_->scope, name)) {
    auto words = texts(*text);
    return {words.empty() ? std::numeric_limits<double>::quiet_NaN() : 1, std::move(words)};
  }
  const auto* info = find_name(rule_->scope, name);
  const double number = info == nullptr ? std::numeric_limits<double>::quiet_NaN() : values(*info);
  return {number, is_unknown(number) ? std::string() : format_parameter(number, info->unit)};
}

std::string CompiledRule::message(const Values& values, const Texts& texts, double value) const {
  return fill_template(message_, [&](const std::string& name) { return print(name, values, texts, value); });
}

std::int64_t thousandths_of(double value) {
  constexpr double kLimit = 0x1p63;
  const double thousandths = value * 1000;
  if (thousandths >= kLimit) {
    return std::numeric_limits<std::int64_t>::max();
  }
  return thousandths <= -kLimit ? std::numeric_limits<std::int64_t>::min() : std::llround(thousandths);
}

}  // namespace stagegate
