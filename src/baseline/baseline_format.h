// What the writer and the reader of baseline files share.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "model/baseline.h"

namespace stagegate {

inline constexpr std::string_view kSchemaFamily = "stagegate.baseline/";
// Schema 2 adds to the first one what a changed stage is found again by (purpose, reads, work, order), and numbers that were not the same
// in each of several runs: [smallest, largest].
inline constexpr int kNewestSchema = 2;

inline constexpr std::array<std::pair<ValueUnit, std::string_view>, 4> kUnitNames{{
    {ValueUnit::ratio, "ratio"},
    {ValueUnit::bytes, "bytes"},
    {ValueUnit::count, "count"},
    {ValueUnit::percent, "percent"},
}};

// Findings by rule, then stage label; stages by label: the order in the file.
void sort_baseline(Baseline& baseline);

}  // namespace stagegate
