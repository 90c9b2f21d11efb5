// One of the two runs whose stages are matched, and how far that has come.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "identity/stage_hashes.h"
#include "model/stage_match.h"

namespace stagegate {

using Index = std::size_t;
using Indices = std::vector<Index>;

struct GraphSide {
  std::span<const StageTraits> stages;
  GraphHashes hashes;
  std::vector<Indices> consumers;
  std::vector<std::optional<Index>> partner;
  // As of look_around(): the stages without a partner, and for each stage the nearest ones of other actions that have one.
  Indices open;
  std::vector<std::optional<Index>> matched_before;
  std::vector<std::optional<Index>> matched_behind;

  explicit GraphSide(std::span<const StageTraits> of);

  // O(n)
  void look_around();
};

}  // namespace stagegate
