// Which actions of an application ran one after the other, and which at the same time.
#pragma once

#include <cstdint>
#include <vector>

#include "model/application.h"
#include "model/stage_match.h"

namespace stagegate {

// For each of TRAITS the turn of its action, from 0 upwards in time. Actions that overlap, as those of several threads do, share one: their
// order is chance. Where a source has no times the order of the stages stands in.
std::vector<std::int64_t> turns_of(const Application& application, const std::vector<StageTraits>& traits);

// The number by which StageTraits knows the action of a SQL execution, and of a job outside of any: even and odd, whatever a broken log
// calls them.
std::int64_t action_of_execution(std::int64_t id);
std::int64_t action_of_job(std::int64_t id);

}  // namespace stagegate
