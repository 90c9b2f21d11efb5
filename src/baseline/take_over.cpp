#include "baseline/take_over.h"

#include <utility>

#include "base/text.h"
#include "baseline/baseline_format.h"
#include "baseline/match_findings.h"

namespace stagegate {
TakenOver take_over(const Baseline& accepted, const Baseline& pending, const FindingChoice& choice, const StageLinks& links) {
  TakenOver result{.baseline = accepted, .fitting = 0};
  auto& findings = result.baseline.findings;
  // All of them are matched, whichever are meant, so that the choice does not change which is which.
  const auto matches = match_findings(pending, accepted, links);
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const auto& finding = pending.findings[i];
    if (!matches_any_glob(choice.rules, finding.rule) || !matches_any_glob(choice.stages, finding.stage_label)) {
      continue;
    }
    ++result.fitting;
    // A finding is kept at the stage that the baseline has, by the name that it has there.
    auto kept = at_stage(finding, links.before(finding.stage_fingerprint));
    if (matches[i]) {
      findings[*matches[i]] = std::move(kept);
    } else {
      findings.push_back(std::move(kept));
    }
  }
  sort_baseline(result.baseline);
  return result;
}

}  // namespace stagegate
