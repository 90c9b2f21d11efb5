// From the evidence of one job variant to its verdict.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/project.h"
#include "app/run_evidence.h"
#include "model/job_variant.h"
#include "model/verdict.h"

namespace stagegate {

// The result before anything has run: names, places, rules.
VariantResult start_result(const Project& project, const JobVariant& job_variant);

// For a run of which nothing can be said: what it left is shown all the same.
void set_not_judged(VariantResult& result, std::optional<RunEvidence> evidence, NotJudged why);

// Judges RUNS, all runs of the variant, each of which can be judged, and fills RESULT. What it would accept is written to pending_path(),
// unless a rule does not do. Indices of the manifest's suppressions that covered a finding are added to USED_SUPPRESSIONS. The error is a
// pending file that could not be written (kind output); RESULT is complete all the same.
Status judge_variant(const Project& project, const JobVariant& job_variant, std::vector<RunEvidence> runs, const std::string& today,
                     VariantResult& result, std::vector<std::size_t>& used_suppressions);

}  // namespace stagegate
