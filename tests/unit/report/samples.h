// One application and the results that come of it, as the tests of all formats show them.
#pragma once

#include <string>
#include <vector>

#include "model/application.h"
#include "model/finding.h"
#include "model/stage.h"
#include "model/verdict.h"

namespace stagegate {

// Two actions in six stage attempts: a described one whose join spills, fails and is tried again, and one without a word of its author,
// with a skipped stage and a stage without times.
Application revenue_application();
std::vector<Stage> revenue_stages();

Finding skew_finding();         // 412x at stage 2, level error
Finding small_tasks_finding();  // 16 at stage 4, level warning

JudgedFinding judged(Finding finding, FindingState state);
JudgedFinding accepted(Finding finding, FindingState state, std::int64_t accepted_thousandths);

// Judged, at stagegate.toml:12, owned by @data-platform, without findings.
VariantResult passed_variant(const std::string& job, const std::string& variant);

// A new and a worse finding, a new warning, a known and a suppressed one, one that is gone.
VariantResult regressed_variant();
VariantResult failed_variant();
VariantResult first_run_variant();  // no baseline, two findings
VariantResult variant_in(VariantState state);

RunResult run_of(std::vector<VariantResult> variants);

// Regressed, passed, job failed, with a notice.
RunResult mixed_run();

// Every text is one that a strict XML parser or a terminal chokes on.
RunResult hostile_run();

}  // namespace stagegate
