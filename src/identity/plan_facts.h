// What a stage's plan and the caches say of it: joins, caches read, work that is done again.
#pragma once

#include <span>
#include <vector>

#include "identity/plan_index.h"
#include "model/application.h"
#include "model/stage.h"

namespace stagegate {

// Fills `plan` of each stage. ATTEMPTS[i] are those of STAGES[i], ascending, PARTS[i] what it ran of the plans. A count that the source
// says nothing of stays absent; so do unused caches where the run did not end well, for somebody may have wanted to read them later.
void find_plan_facts(const Application& application, const PlanIndex& plans, std::span<const std::vector<const StageAttempt*>> attempts,
                     std::span<const PlanPart> parts, std::vector<Stage>& stages);

}  // namespace stagegate
