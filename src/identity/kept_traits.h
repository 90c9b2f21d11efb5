// What of a stage's traits stands in a baseline file, so that a stage whose fingerprint has changed is found again by its work and by its
// place among the others.
#pragma once

#include <span>
#include <vector>

#include "model/baseline.h"
#include "model/stage_match.h"

namespace stagegate {

// A line of work that is longer than this many bytes is cut, and ends in a hash of the whole line: "Filter (a = 1 ... #0f3a2c91".
inline constexpr std::size_t kKeptLineLength = 200;
// Of a stage with more lines than this the first ones and the last are kept, and a hash of the others.
inline constexpr std::size_t kKeptLines = 40;

// TRAITS as a baseline has them: with long work cut. Cutting twice changes nothing.
std::vector<StageTraits> kept_traits(std::vector<StageTraits> traits);

// The traits of the stages of BASELINE, and which of its stages each of them is. In the order in which they ran, as far as a file that was
// merged by hand still says so; each producer stands before its readers.
struct BaselineTraits {
  std::vector<StageTraits> traits;
  std::vector<std::size_t> stages;  // indices into Baseline::stages
};
BaselineTraits traits_of(const Baseline& baseline);

// Writes the purpose, work and producers of TRAITS, as kept_traits() gives them, into the stages of BASELINE that have their fingerprints,
// and the order of the actions beside them.
void keep_traits(std::span<const StageTraits> traits, Baseline& baseline);

}  // namespace stagegate
