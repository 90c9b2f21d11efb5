// The five numbers and the sum of one metric over the tasks of a stage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/packed_column.h"

namespace stagegate {

// A quantile is linear between neighbours, so a quartile of integers is a whole number of quarters: the median of 1 and 2 is 6
// quarters, 1.5. Kept exactly; as_double() is exact up to 2^51.
struct Quarters {
  std::int64_t quarters = 0;

  double as_double() const { return static_cast<double>(quarters) / 4.0; }
  friend bool operator==(const Quarters&, const Quarters&) = default;
};

struct Distribution {
  std::size_t count = 0;  // at least 1
  std::int64_t min = 0;
  Quarters p25;
  Quarters median;  // the middle value or the mean of the two middle ones, as Spark's skew rule and Python's statistics.median
  Quarters p75;
  std::int64_t max = 0;
  std::int64_t sum = 0;  // saturates at the largest 64-bit integer

  friend bool operator==(const Distribution&, const Distribution&) = default;
};

// The values may come in any order; there must be at least one. Values beyond 2^60 are taken as 2^60 in the quartiles.
Distribution distribution_of(const std::vector<std::int64_t>& values);
Distribution distribution_of(const PackedColumn& column);

}  // namespace stagegate
