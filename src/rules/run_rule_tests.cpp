#include <limits>

#include <fmt/format.h>

#include "base/text.h"
#include "rules/compiled_rule.h"
#include "rules/rule.h"

namespace stagegate {
namespace {

std::string word(bool fires) {
  return fires ? "the rule fires" : "the rule does not fire";
}

// What is wrong; "" where the test holds.
std::string failure_of(const Rule& rule, const RuleTest& test) {
  auto parameters = default_parameters(rule);
  for (const auto& [name, value] : test.parameters) {
    parameters[name] = value;
  }
  auto compiled = CompiledRule::compile(rule, std::move(parameters));
  if (!compiled) {
    return compiled.error().message;
  }
  const auto values = [&](const NameInfo& name) {
    const auto known = test.names.find(name.name);
    return known == test.names.end() ? std::numeric_limits<double>::quiet_NaN() : known->second;
  };
  const auto fires = compiled->fires(values);
  if (!fires) {
    return fires.error().message;
  }
  if (*fires != test.fires) {
    return fmt::format("expected that {}, but {}", word(test.fires), word(*fires));
  }
  if (!*fires) {
    return {};
  }
  const auto value = compiled->value(values);
  if (!value) {
    return value.error().message;
  }
  if (test.value && thousandths_of(*value) != thousandths_of(*test.value)) {
    return fmt::format("expected the value {}, got {}", *test.value, *value);
  }
  return {};
}

}  // namespace

Status run_rule_tests(const Rule& rule) {
  std::vector<std::string> failures;
  for (const auto& test : rule.tests) {
    if (auto failure = failure_of(rule, test); !failure.empty()) {
      failures.push_back(fmt::format("{}:{}: test '{}': {}", rule.file, test.line, test.name, failure));
    }
  }
  return failures.empty() ? Status() : fail(ErrorKind::usage, join(failures, "\n"));
}

}  // namespace stagegate
