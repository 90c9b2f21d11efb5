// Sums of what a log says: a number that is too large stays the largest there is, and never wraps around.
#pragma once

#include <cstdint>
#include <limits>

namespace stagegate {

constexpr std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) {
    return sum;
  }
  return a < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

}  // namespace stagegate
