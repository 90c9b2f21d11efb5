// Which finding of a run is which accepted one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/baseline.h"
#include "model/stage_links.h"

namespace stagegate {

// For each of FINDINGS (Finding or BaselineFinding) the index of the accepted one that it is: by its rule and its stage, as LINKS has it,
// first; then by its rule and its stage's label among stages that LINKS does not know. An accepted finding stands for one finding only.
template <typename AnyFinding, typename CanBeAccepted>
std::vector<std::optional<std::size_t>> match_findings(std::span<const AnyFinding> findings, std::span<const BaselineFinding> accepted,
                                                       const StageLinks& links, CanBeAccepted can_be_accepted) {
  std::vector<std::optional<std::size_t>> found(findings.size());
  std::vector<bool> taken(accepted.size(), false);
  const auto pair_by = [&](auto is_same_stage) {
    for (std::size_t i = 0; i < findings.size(); ++i) {
      for (std::size_t a = 0; a < accepted.size() && !found[i] && can_be_accepted(findings[i]); ++a) {
        if (!taken[a] && accepted[a].rule == findings[i].rule && is_same_stage(accepted[a], findings[i])) {
          found[i] = a;
          taken[a] = true;
        }
      }
    }
  };
  const auto are_open = [&](const BaselineFinding& a, const AnyFinding& b) {
    return links.now(a.stage_fingerprint) == nullptr && links.before(b.stage_fingerprint) == nullptr;
  };
  pair_by([&](const BaselineFinding& a, const AnyFinding& b) {
    const auto* const now = links.now(a.stage_fingerprint);
    return now == nullptr ? are_open(a, b) && a.stage_fingerprint == b.stage_fingerprint : now->fingerprint == b.stage_fingerprint;
  });
  pair_by([&](const BaselineFinding& a, const AnyFinding& b) { return are_open(a, b) && a.stage_label == b.stage_label; });
  return found;
}

// Of a result's findings, all of which can be accepted.
inline std::vector<std::optional<std::size_t>> match_findings(const Baseline& pending, const Baseline& accepted, const StageLinks& links) {
  return match_findings(std::span(pending.findings), std::span(accepted.findings), links, [](const BaselineFinding&) { return true; });
}

// FINDING by the name that its stage has elsewhere; as it is where STAGE is null.
inline BaselineFinding at_stage(BaselineFinding finding, const StageKey* stage) {
  if (stage != nullptr) {
    finding.stage_label = stage->label;
    finding.stage_fingerprint = stage->fingerprint;
  }
  return finding;
}

// The label that the stage of an accepted finding has among STAGES (Stage or BaselineStage); the accepted one where it is gone.
template <typename AnyStage>
const std::string& label_now(const BaselineFinding& finding, std::span<const AnyStage> stages, const StageLinks& links) {
  if (const auto* const now = links.now(finding.stage_fingerprint)) {
    return now->label;
  }
  const auto stage = std::find_if(stages.begin(), stages.end(), [&](const AnyStage& candidate) {
    return !finding.stage_fingerprint.empty() && candidate.key.fingerprint == finding.stage_fingerprint;
  });
  return stage == stages.end() ? finding.stage_label : stage->key.label;
}

}  // namespace stagegate
