#include "model/distribution.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <limits>
#include <numeric>

#include "base/saturating.h"
#include "model/order_statistics.h"

namespace stagegate {
namespace {

// Four times this still fits a 64-bit integer.
constexpr std::int64_t kLargestExact = std::int64_t{1} << 60;

std::int64_t as_exact(std::int64_t value) {
  return std::clamp(value, -kLargestExact, kLargestExact);
}

// The quartiles, linear between neighbours: each is at some quarters of an index.
void set_quartiles(const std::vector<std::int64_t>& values, Distribution& result) {
  // Of each the value below it and the one above.
  std::array<std::size_t, 6> positions{};
  std::array<std::int64_t, 6> found{};
  const auto last = values.size() - 1;
  for (std::size_t quartile = 0; quartile < 3; ++quartile) {
    positions[2 * quartile] = last * (quartile + 1) / 4;
    positions[2 * quartile + 1] = std::min(positions[2 * quartile] + 1, last);
  }
  // One may lie above the next one's lower neighbour.
  auto ascending = positions;
  std::sort(ascending.begin(), ascending.end());
  find_in_order(values, {.least = result.min, .largest = result.max}, ascending, found);
  const auto value_at = [&](std::size_t position) {
    return as_exact(found[static_cast<std::size_t>(std::lower_bound(ascending.begin(), ascending.end(), position) - ascending.begin())]);
  };
  const auto quartile_at = [&](std::size_t quartile) -> Quarters {
    const auto rest = static_cast<std::int64_t>(last * (quartile + 1) % 4);
    return {value_at(positions[2 * quartile]) * (4 - rest) + value_at(positions[2 * quartile + 1]) * rest};
  };
  result.p25 = quartile_at(0);
  result.median = quartile_at(1);
  result.p75 = quartile_at(2);
}

std::int64_t saturating_sum(const std::vector<std::int64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0}, saturating_add);
}

Distribution distribution_of_equal(std::int64_t value, std::size_t count) {
  const Quarters quarters{as_exact(value) * 4};
  std::int64_t sum = 0;
  if (__builtin_mul_overflow(value, static_cast<std::int64_t>(count), &sum)) {
    sum = value < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
  }
  return {.count = count, .min = value, .p25 = quarters, .median = quarters, .p75 = quarters, .max = value, .sum = sum};
}

}  // namespace

Distribution distribution_of(const std::vector<std::int64_t>& values) {
  assert(!values.empty());
  const auto ends = ends_of(values);
  Distribution result{
      .count = values.size(), .min = ends.least, .p25 = {}, .median = {}, .p75 = {}, .max = ends.largest, .sum = saturating_sum(values)};
  set_quartiles(values, result);
  return result;
}

Distribution distribution_of(const PackedColumn& column) {
  if (column.is_constant()) {
    return distribution_of_equal(column[0], column.size());
  }
  return distribution_of(column.values());
}

}  // namespace stagegate
