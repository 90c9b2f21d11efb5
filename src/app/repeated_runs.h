// All runs of one job variant side by side.
#pragma once

#include <vector>

#include "app/run_evidence.h"
#include "model/application.h"
#include "model/repeats.h"
#include "model/stage.h"
#include "model/stage_match.h"

namespace stagegate {

// Each vector has an element for each run.
struct RepeatedRuns {
  std::vector<Application> applications;
  std::vector<std::vector<Stage>> stages;
  std::vector<std::vector<StageTraits>> traits;  // as a baseline keeps them
  std::vector<RepeatedStage> same;               // the stages of all runs, each once
};

// Finds out which stages are the same and, where there are several runs, what is not the same of them, and why. RUNS holds at least one.
RepeatedRuns hold_together(std::vector<RunEvidence> runs);

}  // namespace stagegate
