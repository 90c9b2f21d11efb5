// What the built-in rules say, with their defaults, where there is no manifest to ask.
#pragma once

#include <vector>

#include "base/result.h"
#include "model/finding.h"
#include "rules/evaluate.h"

namespace stagegate {

// ACCEPTED: as evaluate() has it.
Result<std::vector<Finding>> default_findings(const JudgedRun& run, const AcceptedRun* accepted, int threads);

}  // namespace stagegate
