// The [[test]] tables of a rule file: a stage or a run written out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rules/document.h"
#include "rules/problems.h"
#include "rules/rule.h"

namespace stagegate {

// A parameter's default or override.
std::optional<double> read_parameter(const std::string& name, ParameterUnit unit, const DocumentValue& value, Problems& problems);

// RULE has its scope, unit and parameters already.
std::vector<RuleTest> parse_tests(const DocumentEntry& tests, const Rule& rule, Problems& problems);

}  // namespace stagegate
