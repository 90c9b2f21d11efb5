// What the built-in rules say, with their defaults, where there is no manifest to ask.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "model/baseline.h"
#include "model/finding.h"
#include "model/stage.h"

namespace stagegate {

// ACCEPTED: as evaluate() has it.
Result<std::vector<Finding>> default_findings(std::span<const Stage> stages, std::span<const BaselineStage* const> accepted = {});

}  // namespace stagegate
