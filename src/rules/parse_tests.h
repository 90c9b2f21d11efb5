// The [[test]] tables of a rule file: a stage or a run written out.
#pragma once

#include <vector>

#include "rules/document.h"
#include "rules/problems.h"
#include "rules/rule.h"

namespace stagegate {

// RULE has its scope, unit and parameters already.
std::vector<RuleTest> parse_tests(const DocumentEntry& tests, const Rule& rule, Problems& problems);

}  // namespace stagegate
