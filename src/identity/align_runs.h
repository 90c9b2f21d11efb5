// Which stages of several runs of one job are the same one.
#pragma once

#include <span>
#include <vector>

#include "model/repeats.h"
#include "model/stage_match.h"

namespace stagegate {

// Every stage of every run once: those of the first run in their order, then those that only later runs have. Stages are the same where
// their fingerprints are, else as match_graphs() has it. RUNS are the traits of each run's stages.
std::vector<RepeatedStage> align_runs(std::span<const std::vector<StageTraits>> runs);

}  // namespace stagegate
