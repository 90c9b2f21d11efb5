#include "baseline/take_over.h"

#include <span>

#include "base/text.h"
#include "baseline/baseline_format.h"
#include "baseline/match_findings.h"

namespace stagegate {
namespace {

// A finding is kept at the stage that the baseline has, by the name that it has there.
BaselineFinding at_accepted_stage(BaselineFinding finding, const StageLinks& links) {
  if (const auto* const before = links.before(finding.stage_fingerprint)) {
    finding.stage_label = before->label;
    finding.stage_fingerprint = before->fingerprint;
  }
  return finding;
}

}  // namespace

TakenOver take_over(const Baseline& accepted, const Baseline& pending, const FindingChoice& choice, const StageLinks& links) {
  TakenOver result{.baseline = accepted, .fitting = 0};
  auto& findings = result.baseline.findings;
  // All of them are matched, whichever are meant, so that the choice does not change which is which.
  const auto matches =
      match_findings(std::span(pending.findings), std::span(accepted.findings), links, [](const BaselineFinding&) { return true; });
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const auto& finding = pending.findings[i];
    if (!matches_any_glob(choice.rules, finding.rule) || !matches_any_glob(choice.stages, finding.stage_label)) {
      continue;
    }
    ++result.fitting;
    if (matches[i]) {
      findings[*matches[i]] = at_accepted_stage(finding, links);
    } else {
      findings.push_back(at_accepted_stage(finding, links));
    }
  }
  sort_baseline(result.baseline);
  return result;
}

}  // namespace stagegate
