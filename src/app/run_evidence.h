// What one run left, as it is judged.
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
  std::vector<Stage> stages;
  std::vector<StageTraits> traits;  // of each stage
};

struct NotJudged {
  VariantState state = VariantState::no_evidence;
  std::string reason;
  std::string detail;
};

// The stages that ran, with their identity; without those that a query which succeeded turned out not to need.
RunEvidence gather_evidence(Application application);

// Why nothing can be said of the run: its log is not whole, it was not this variant, a stage failed for good, or none ran. Absent: it can
// be judged.
std::optional<NotJudged> why_not_judged(const JobVariant& job_variant, const RunEvidence& evidence);

}  // namespace stagegate
