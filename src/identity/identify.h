// Which stage is which: identity that holds from one run to the next (design 5).
//
// Stage ids move: siblings swap numbers, adaptive execution skips ids. What stays is what a stage does.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/application.h"
#include "model/stage.h"

namespace stagegate {

// Fills `key` of each stage. The same work gets the same key whatever its stage id, in every minor version of Spark and in whatever order
// sibling stages finished.
void identify(const Application& application, std::vector<Stage>& stages);

// For each key of AFTER, the index of the same stage in BEFORE: equal fingerprints first, then equal labels among what is left.
std::vector<std::optional<std::size_t>> match_stages(std::span<const StageKey> before, std::span<const StageKey> after);

}  // namespace stagegate
