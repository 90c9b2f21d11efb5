// What the writer and the reader of baseline files share.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "model/baseline.h"

namespace stagegate {

inline constexpr std::string_view kSchemaFamily = "stagegate.baseline/";
inline constexpr std::string_view kSchema = "stagegate.baseline/1";

inline constexpr std::array<std::pair<ValueUnit, std::string_view>, 4> kUnitNames{{
    {ValueUnit::ratio, "ratio"},
    {ValueUnit::bytes, "bytes"},
    {ValueUnit::count, "count"},
    {ValueUnit::percent, "percent"},
}};

// Findings by rule, then stage label; stages by label: the order in the file.
void sort_baseline(Baseline& baseline);

}  // namespace stagegate
