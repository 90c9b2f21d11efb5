// From the evidence of one job variant to its verdict.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/project.h"
#include "app/run_evidence.h"
#include "baseline/judge.h"
#include "model/job_variant.h"
#include "model/verdict.h"

namespace stagegate {

// The result before anything has run: names, places, rules.
VariantResult start_result(const Project& project, const JobVariant& job_variant);

struct JudgeOptions {
  std::string today;  // "2026-11-29"
  SparkVersions versions = SparkVersions::must_be_the_same;
};

// Shows what there is of a run of which nothing can be said, and says why.
void set_trouble(VariantResult& result, std::optional<RunEvidence> run, EvidenceTrouble trouble);

// Judges EVIDENCE, which is that of all runs of the variant, one or several, each without trouble, and fills RESULT. Each run is judged by
// itself; a finding counts where one of them has it. What it would accept is written to pending_path(), unless a rule does not do. Indices
// of the manifest's suppressions that covered a finding are added to USED_SUPPRESSIONS. The error is a pending file that could not be
// written (kind output); RESULT is complete all the same.
Status judge_variant(const Project& project, const JobVariant& job_variant, std::vector<RunEvidence> evidence, const JudgeOptions& options,
                     VariantResult& result, std::vector<std::size_t>& used_suppressions);

}  // namespace stagegate
