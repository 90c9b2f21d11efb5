// The two runs of `compare`, read, matched and judged.
#pragma once

#include <vector>

#include "app/options.h"
#include "base/result.h"
#include "model/comparison.h"
#include "model/stage_match.h"

namespace stagegate {

struct RunPair {
  ComparedRun before;
  ComparedRun after;
  std::vector<StageMatch> matches;
};

// Each of the two is a source as `report` takes it, the folder of a run (stagegate-out/runs/<job>/<variant>/1), or a baseline file
// (<baselines>/<job>/<variant>.json). What the rules say of AFTER is held against
// BEFORE (growth) where the two can be compared. Errors are those of reading.
Result<RunPair> read_pair(const SourceOptions& before, const SourceOptions& after, SparkVersions versions);

}  // namespace stagegate
