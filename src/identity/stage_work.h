// What a stage does, as a text that stays the same from one run to the next.
#pragma once

#include <span>
#include <string>

#include "identity/plan_index.h"
#include "model/application.h"

namespace stagegate {

struct StageWork {
  std::string text;   // what the fingerprint rests on: a line for whom it works, then a line for each thing it does, where rows go last
  std::string label;  // not yet unique
};

// ATTEMPTS: of one stage that ran, ascending; at least one.
StageWork work_of(const Application& application, const PlanIndex& plans, std::span<const StageAttempt* const> attempts);

}  // namespace stagegate
