// What the formats of a comparison share: the words for a row.
#pragma once

#include <cstdint>
#include <string>

#include "model/comparison.h"

namespace stagegate {

// The stage of AFTER where there is one.
const Stage& stage_of(const ComparedRun& before, const ComparedRun& after, const StageComparison& row);

// "3", "-" where the run does not have it.
std::string stage_number_text(const ComparedRun& run, const std::optional<std::size_t>& stage);
// "8", "8 -> 10"
std::string tasks_change_text(const ComparedRun& before, const ComparedRun& after, const StageComparison& row);
// "+1.2 MiB", "-36 B", "0 B"
// "output bytes are left out: versions of Spark do not count them alike"
std::string left_out_text(const Comparison& comparison);

std::string difference_text(std::int64_t before, std::int64_t after);
// "+31 %", "+0.4 %", "new", "gone", "-"
std::string percent_text(const StageComparison& row);
// "new skew 8.04x; small-tasks 200 gone"
std::string findings_change_text(const StageComparison& row);
// "12 stages compared: 1 new finding, 2 worse, 9 same; 1 only before, 2 only after; 98.7 % of the bytes are in stages that both have"
std::string compare_summary_text(const Comparison& comparison);

}  // namespace stagegate
