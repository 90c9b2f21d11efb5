// Changes of a baseline that are less than taking a whole result over. PENDING is what `baseline accept` would write.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/baseline.h"
#include "model/rule_settings.h"
#include "model/stage_links.h"

namespace stagegate {

struct TightenedFinding {
  BaselineFinding before;
  std::optional<std::int64_t> now_thousandths;  // absent: it is gone
};

struct Tightened {
  Baseline baseline;
  std::vector<TightenedFinding> changes;  // in the order of the accepted findings
  std::vector<BaselineFinding> kept;      // not in PENDING, but a suppression covers them, so that nobody knows whether they are gone
};

// ACCEPTED without the findings that PENDING does not have, and with the lower of both values of those that it has. Nothing else changes:
// nothing is added or raised, stages and conditions are those of ACCEPTED. A value in another unit is neither better nor worse and stays.
// A suppression counts whatever its date. The two must be comparable (differing_conditions() is empty). LINKS: from the stages of ACCEPTED
// to those of PENDING.
Tightened tighten(const Baseline& accepted, const Baseline& pending, std::span<const Suppression> suppressions,
                  const StageLinks& links = {});

}  // namespace stagegate
