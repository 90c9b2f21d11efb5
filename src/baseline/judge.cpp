#include "baseline/judge.h"

#include <algorithm>

#include "baseline/match_findings.h"

namespace stagegate {
namespace {

bool is_worse(const Finding& finding, std::int64_t accepted) {
  return moved(accepted, finding.value_thousandths, finding.tolerance_thousandths) == Moved::worse;
}

// For each finding the accepted one that it is, or null.
std::vector<const BaselineFinding*> accepted_findings(std::span<const Finding> findings, const Baseline* accepted,
                                                      const StageLinks& links) {
  std::vector<const BaselineFinding*> found(findings.size(), nullptr);
  if (accepted == nullptr) {
    return found;
  }
  const auto matches = match_findings(findings, std::span(accepted->findings), links, can_be_accepted);
  for (std::size_t i = 0; i < matches.size(); ++i) {
    found[i] = matches[i] ? &accepted->findings[*matches[i]] : nullptr;
  }
  return found;
}

FindingState state_of(const Finding& finding, const BaselineFinding* entry, const Baseline* accepted, BaselineUse use) {
  if (use == BaselineUse::on && accepted == nullptr) {
    return FindingState::unjudged;
  }
  if (entry == nullptr) {
    return FindingState::new_finding;
  }
  return is_worse(finding, entry->value_thousandths) ? FindingState::worse : FindingState::known;
}

std::vector<GoneFinding> gone_findings(std::span<const BaselineFinding* const> found, std::span<const Stage> stages,
                                       const Baseline* accepted, const StageLinks& links) {
  std::vector<GoneFinding> gone;
  if (accepted != nullptr) {
    for (const auto& entry : accepted->findings) {
      if (std::find(found.begin(), found.end(), &entry) == found.end()) {
        gone.push_back({.rule = entry.rule,
                        .stage_label = label_now(entry, stages, links),
                        .accepted_thousandths = entry.value_thousandths,
                        .unit = entry.unit});
      }
    }
  }
  return gone;
}

JudgedFinding judged(const Finding& finding, const BaselineFinding* entry, const Baseline* accepted, BaselineUse use) {
  JudgedFinding result{
      .finding = finding, .state = state_of(finding, entry, accepted, use), .accepted_thousandths = {}, .suppression_reason = {}};
  if (entry != nullptr) {
    result.accepted_thousandths = entry->value_thousandths;
  }
  return result;
}

void suppress(JudgedFinding& finding, const Suppression& suppression) {
  if (finding.state != FindingState::suppressed) {
    finding.suppression_reason = suppression.reason;  // of several that fit, the first one speaks
  }
  finding.state = FindingState::suppressed;
}

}  // namespace

Judgement judge(const std::string& job, const std::string& variant, std::span<const Finding> findings, std::span<const Stage> stages,
                const Baseline* accepted, BaselineUse use, std::span<const Suppression> suppressions, const std::string& today,
                const StageLinks& links) {
  accepted = use == BaselineUse::off ? nullptr : accepted;
  const auto found = accepted_findings(findings, accepted, links);
  Judgement judgement;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    judgement.findings.push_back(judged(findings[i], found[i], accepted, use));
  }
  for (std::size_t s = 0; s < suppressions.size(); ++s) {
    bool is_used = false;
    for (auto& finding : judgement.findings) {
      if (!is_expired(suppressions[s], today) && covers(suppressions[s], job, variant, finding.finding.rule, finding.finding.stage_label)) {
        suppress(finding, suppressions[s]);
        is_used = true;
      }
    }
    if (is_used) {
      judgement.used_suppressions.push_back(s);
    }
  }
  judgement.gone = gone_findings(found, stages, accepted, links);
  return judgement;
}

}  // namespace stagegate
