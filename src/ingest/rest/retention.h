// What a server has forgotten: it keeps the newest jobs, stages and SQL executions only, and drops skipped stages first
// (AppStatusListener).
#pragma once

#include <cstdint>
#include <optional>

#include "ingest/rest/rest_values.h"
#include "model/application.h"

namespace stagegate {

// The problem `retention`, where jobs, stages or executions that there must have been are not there. Stages that were skipped do not count:
// they have nothing to say, and their jobs tell how many they were. VANISHED: stages that went while they were read.
std::optional<EvidenceProblem> forgotten(const RestFacts& facts, std::int64_t vanished);

}  // namespace stagegate
