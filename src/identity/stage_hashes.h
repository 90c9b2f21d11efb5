// What stages of a graph are compared by, as hashes: equal hashes, equal stages.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/stage_match.h"

namespace stagegate {

using StageHashes = std::vector<std::uint64_t>;

// Each of them one number a stage.
struct GraphHashes {
  StageHashes own;       // purpose and work
  StageHashes work;      // work alone
  StageHashes own_up;    // with all that the stage rests on
  StageHashes own_down;  // with all that rests on it
  StageHashes work_up;
  StageHashes work_down;
};

GraphHashes hashes_of(std::span<const StageTraits> stages);

// Of several, in their order.
std::uint64_t mixed(std::uint64_t a, std::uint64_t b);

}  // namespace stagegate
