// What a stage does, as a text that stays the same from one run to the next.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "identity/plan_index.h"
#include "model/application.h"

namespace stagegate {

struct StageWork {
  std::string text;   // what the fingerprint rests on: a line for whom it works, then a line for each thing it does, where rows go last
  std::string label;  // not yet unique
};

// In the following, ATTEMPTS are those of one stage that ran, ascending; at least one.

// Those that any of the attempts updated.
std::vector<std::int64_t> accumulators_of(std::span<const StageAttempt* const> attempts);

PlanPart part_of(const PlanIndex& plans, std::span<const StageAttempt* const> attempts);

// PART: what part_of() gives.
StageWork work_of(const Application& application, const PlanPart& part, std::span<const StageAttempt* const> attempts);

// Whether it is a reader of files that looks at a few footers before there is a plan.
bool reads_schema(const StageAttempt& stage);

}  // namespace stagegate
