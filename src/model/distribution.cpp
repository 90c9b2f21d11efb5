#include "model/distribution.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <limits>
#include <numeric>

#include "base/saturating.h"

namespace stagegate {
namespace {

// Four times this still fits a 64-bit integer.
constexpr std::int64_t kLargestExact = std::int64_t{1} << 60;

// The quantile at WHICH quarters of the way through the values, linear between neighbours. The values before SORTED_TO are in their places
// already; afterwards those up to the quantile's are.
Quarters quartile(std::vector<std::int64_t>& values, std::size_t which, std::size_t& sorted_to) {
  const std::size_t position = (values.size() - 1) * which;  // in quarters of an index
  const auto begin = values.begin();
  const auto at = begin + static_cast<std::ptrdiff_t>(position / 4);
  if (position / 4 >= sorted_to) {
    std::nth_element(begin + static_cast<std::ptrdiff_t>(sorted_to), at, values.end());
    sorted_to = position / 4 + 1;
  }
  const auto lower = std::clamp(*at, -kLargestExact, kLargestExact);
  const auto rest = static_cast<std::int64_t>(position % 4);
  if (rest == 0) {
    return {lower * 4};
  }
  const auto upper = std::clamp(*std::min_element(at + 1, values.end()), -kLargestExact, kLargestExact);
  return {lower * (4 - rest) + upper * rest};
}

std::int64_t saturating_sum(const std::vector<std::int64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0}, saturating_add);
}

Distribution distribution_of_equal(std::int64_t value, std::size_t count) {
  const Quarters quarters{std::clamp(value, -kLargestExact, kLargestExact) * 4};
  std::int64_t sum = 0;
  if (__builtin_mul_overflow(value, static_cast<std::int64_t>(count), &sum)) {
    sum = value < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
  }
  return {.count = count, .min = value, .p25 = quarters, .median = quarters, .p75 = quarters, .max = value, .sum = sum};
}

}  // namespace

Distribution distribution_of(std::vector<std::int64_t> values) {
  assert(!values.empty());
  const auto [least, largest] = std::minmax_element(values.begin(), values.end());
  Distribution result{
      .count = values.size(), .min = *least, .p25 = {}, .median = {}, .p75 = {}, .max = *largest, .sum = saturating_sum(values)};
  std::size_t sorted_to = 0;
  result.p25 = quartile(values, 1, sorted_to);
  result.median = quartile(values, 2, sorted_to);
  result.p75 = quartile(values, 3, sorted_to);
  return result;
}

Distribution distribution_of(const PackedColumn& column) {
  if (column.is_constant()) {
    return distribution_of_equal(column[0], column.size());
  }
  return distribution_of(column.values());
}

}  // namespace stagegate
