// How alike two stages are whose work is not the same.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/stage_match.h"

namespace stagegate {

// The words of a stage's work, each with its weight: words that few stages have tell more.
using WorkWords = std::vector<std::pair<std::uint64_t, double>>;  // ascending

// Of the stages of both graphs, in the same order.
struct WordsOfGraphs {
  std::vector<WorkWords> before;
  std::vector<WorkWords> after;
};

WordsOfGraphs words_of(std::span<const StageTraits> before, std::span<const StageTraits> after);

// The weight of what both have as a part of the weight of what either has: 0 to 1. Of two without words: 1.
double work_likeness(const WorkWords& a, const WorkWords& b);

// The mean over the amounts that either has of the smaller as a part of the larger: 0 to 1. Of two without amounts: 1.
double amount_likeness(const StageTraits& a, const StageTraits& b);

// 1 where the rows of both go to the same kind of place, 0 where they do not; in between where a shuffle became a broadcast, which is the
// same exchange.
double sink_likeness(const StageTraits& a, const StageTraits& b);

}  // namespace stagegate
