#include "model/distribution.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace stagegate {
namespace {

// Four times this still fits a 64-bit integer.
constexpr std::int64_t kLargestExact = std::int64_t{1} << 60;

// The quantile at WHICH quarters of the way through N sorted values, linear between neighbours.
Quarters quartile(const std::vector<std::int64_t>& sorted, std::size_t which) {
  const std::size_t position = (sorted.size() - 1) * which;  // in quarters of an index
  const auto lower = std::clamp(sorted[position / 4], -kLargestExact, kLargestExact);
  const auto rest = static_cast<std::int64_t>(position % 4);
  if (rest == 0) {
    return {lower * 4};
  }
  const auto upper = std::clamp(sorted[position / 4 + 1], -kLargestExact, kLargestExact);
  return {lower * (4 - rest) + upper * rest};
}

std::int64_t saturating_sum(const std::vector<std::int64_t>& values) {
  std::int64_t sum = 0;
  for (const auto value : values) {
    if (__builtin_add_overflow(sum, value, &sum)) {
      return std::numeric_limits<std::int64_t>::max();
    }
  }
  return sum;
}

}  // namespace

Distribution distribution_of(std::vector<std::int64_t> values) {
  assert(!values.empty());
  std::sort(values.begin(), values.end());
  return {
      .count = values.size(),
      .min = values.front(),
      .p25 = quartile(values, 1),
      .median = quartile(values, 2),
      .p75 = quartile(values, 3),
      .max = values.back(),
      .sum = saturating_sum(values),
  };
}

}  // namespace stagegate
