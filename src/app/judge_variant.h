// From the evidence of one job variant to its verdict.
#pragma once

#include <string>
#include <vector>

#include "app/project.h"
#include "baseline/judge.h"
#include "model/application.h"
#include "model/job_variant.h"
#include "model/verdict.h"

namespace stagegate {

// The result before anything has run: names, places, rules.
VariantResult start_result(const Project& project, const JobVariant& job_variant);

struct JudgeOptions {
  std::string today;  // "2026-11-29"
  SparkVersions versions = SparkVersions::must_be_the_same;
};

// Judges APPLICATION and fills RESULT. What it would accept is written to pending_path(), unless the evidence or a rule does not do.
// Indices of the manifest's suppressions that covered a finding are added to USED_SUPPRESSIONS. The error is a pending file that
// could not be written (kind output); RESULT is complete all the same.
Status judge_variant(const Project& project, const JobVariant& job_variant, Application application, const JudgeOptions& options,
                     VariantResult& result, std::vector<std::size_t>& used_suppressions);

}  // namespace stagegate
