// Accepting some of a result's findings.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/baseline.h"
#include "model/stage_links.h"

namespace stagegate {

// Which findings are meant: globs over rule ids and stage labels. No pattern is every one.
struct FindingChoice {
  std::vector<std::string> rules;
  std::vector<std::string> stages;

  bool is_everything() const { return rules.empty() && stages.empty(); }
};

struct TakenOver {
  Baseline baseline;
  std::size_t fitting = 0;  // findings of the result that were meant, changed or not
};

// ACCEPTED with those findings of PENDING that CHOICE means, new ones and such as changed. All else is that of ACCEPTED: its other
// findings, also those that are gone, its stages, its conditions. The two must be comparable (differing_conditions() is empty).
// LINKS: from the stages of ACCEPTED to those of PENDING.
TakenOver take_over(const Baseline& accepted, const Baseline& pending, const FindingChoice& choice, const StageLinks& links = {});

}  // namespace stagegate
