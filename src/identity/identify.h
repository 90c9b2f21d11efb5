// Which stage is which: identity that holds from one run to the next (design 5).
//
// Stage ids move: siblings swap numbers, adaptive execution skips ids. What stays is what a stage does: for whom (the description or group
// that the author set, else the method that was called), and the plan nodes or RDDs it ran, in normal form. Only where that is the same for
// several stages of an application do their neighbours count: the stages they read from, then those that read from them. What is
// equal still is ranked by records, bytes and tasks, largest first; by the order of executions and stage ids only where all of it is equal.
//
// So a change upstream changes no fingerprint downstream, as long as own work tells the stages apart.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/application.h"
#include "model/stage.h"
#include "model/stage_match.h"

namespace stagegate {

// Fills `key`, `plan` and `producers` of each stage and gives what else it is recognised by, in the same order; STAGES as pool_attempts()
// gives them, in the order of their ids. The same work gets the same key whatever its stage id, in every minor version of Spark and in
// whatever order sibling stages finished.
std::vector<StageTraits> identify(const Application& application, std::vector<Stage>& stages, int threads = 1);

// For each key of AFTER, the index of the same stage in BEFORE: equal fingerprints first, then equal labels among what is left, then
// labels that are equal but for the author's words in front, where one stage on each side is left (a job group was renamed).
std::vector<std::optional<std::size_t>> match_stages(std::span<const StageKey> before, std::span<const StageKey> after);

}  // namespace stagegate
