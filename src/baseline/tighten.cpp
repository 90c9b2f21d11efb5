#include "baseline/tighten.h"

#include <algorithm>

#include "baseline/match_findings.h"

namespace stagegate {
namespace {

// A stage that is still there goes by the label that it has now, as it does where findings are judged.
bool is_covered(const BaselineFinding& finding, const Baseline& pending, std::span<const Suppression> suppressions,
                const StageLinks& links) {
  return std::any_of(suppressions.begin(), suppressions.end(), [&](const Suppression& suppression) {
    return covers(suppression, pending.job, pending.variant, finding.rule, label_now(finding, std::span(pending.stages), links));
  });
}

// For each accepted finding the pending one that it is now, or null.
std::vector<const BaselineFinding*> findings_now(const Baseline& accepted, const Baseline& pending, const StageLinks& links) {
  const auto matches = match_findings(pending, accepted, links);
  std::vector<const BaselineFinding*> now(accepted.findings.size(), nullptr);
  for (std::size_t i = 0; i < matches.size(); ++i) {
    if (matches[i]) {
      now[*matches[i]] = &pending.findings[i];
    }
  }
  return now;
}

bool is_better(const BaselineFinding& now, const BaselineFinding& before) {
  return now.unit == before.unit && now.value_thousandths < before.value_thousandths;
}

}  // namespace

Tightened tighten(const Baseline& accepted, const Baseline& pending, std::span<const Suppression> suppressions, const StageLinks& links) {
  Tightened result{.baseline = accepted, .changes = {}, .kept = {}};
  result.baseline.findings.clear();
  const auto now = findings_now(accepted, pending, links);
  for (std::size_t i = 0; i < now.size(); ++i) {
    auto finding = accepted.findings[i];
    if (now[i] == nullptr && !is_covered(finding, pending, suppressions, links)) {
      result.changes.push_back({.before = finding, .now_thousandths = std::nullopt});
      continue;
    }
    if (now[i] == nullptr) {
      result.kept.push_back(finding);
    } else if (is_better(*now[i], finding)) {
      result.changes.push_back({.before = finding, .now_thousandths = now[i]->value_thousandths});
      finding.value_thousandths = now[i]->value_thousandths;
      finding.least_thousandths = now[i]->least_thousandths;
    }
    result.baseline.findings.push_back(finding);
  }
  return result;
}

}  // namespace stagegate
