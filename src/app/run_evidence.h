// What one run left, ready to be judged, and whether it does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/application.h"
#include "model/job_variant.h"
#include "model/stage.h"
#include "model/stage_match.h"
#include "model/verdict.h"

namespace stagegate {

struct RunEvidence {
  Application application;
  std::vector<Stage> stages;        // that are judged: those that ran, and that their query needed
  std::vector<StageTraits> traits;  // of these, in the same order
};

RunEvidence identify_run(Application application);

// Why a run cannot be judged: its log is not whole, it ran under another configuration than the variant's, a stage failed for good, or no
// stage ran.
struct EvidenceTrouble {
  VariantState state = VariantState::no_evidence;
  std::string reason;
  std::string detail;
};
std::optional<EvidenceTrouble> trouble_with(const JobVariant& job_variant, const RunEvidence& run);

}  // namespace stagegate
