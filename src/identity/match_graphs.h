// Which stage of one run is which stage of another, both taken as whole graphs (design 5).
//
// Strong evidence comes first, and each match is evidence for its neighbours: the same work in the same place among the stages; the same
// work; the same work under another name; what is left between matched neighbours; at last likeness of work, neighbours, action and
// numbers. A stage that is like none stays without a partner: a new stage that is taken for an old one would hide what is new in it.
//
// Time is O(n log n) but for stages that only likeness can tell: each of those looks at a bounded number of candidates.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/stage_match.h"

namespace stagegate {

// Whether the stages of one action stand in the order in which they ran. A baseline keeps that of the actions only.
enum class SiblingOrder : std::uint8_t { as_they_ran, unknown };

// By the index in AFTER. Each stage has one partner at most. SIBLINGS: of both sides.
std::vector<StageMatch> match_graphs(std::span<const StageTraits> before, std::span<const StageTraits> after,
                                     SiblingOrder siblings = SiblingOrder::as_they_ran);

}  // namespace stagegate
