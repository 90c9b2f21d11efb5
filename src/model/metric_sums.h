// Sums of metrics over tasks, attempts or stages.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/saturating.h"
#include "model/metric.h"

namespace stagegate {

// A metric that was absent is there afterwards.
inline void add_to(PerMetric<std::int64_t>& sums, std::size_t metric, std::int64_t value) {
  sums[metric] = saturating_add(sums[metric].value_or(0), value);
}

}  // namespace stagegate
