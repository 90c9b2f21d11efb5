#include "model/order_statistics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace stagegate {
namespace {

constexpr std::size_t kBuckets = 256;
constexpr std::size_t kFewValues = 48;  // are sorted

// Values by their distance from the least one, in buckets of equal width.
struct Buckets {
  explicit Buckets(const Ends& ends)
      : first(static_cast<std::uint64_t>(ends.least)),
        shift(static_cast<unsigned>(std::max<std::uint64_t>(std::bit_width(static_cast<std::uint64_t>(ends.largest) - first), 8) - 8)) {}

  std::size_t of(std::int64_t value) const { return static_cast<std::size_t>((static_cast<std::uint64_t>(value) - first) >> shift); }
  bool hold_one_value_each() const { return shift == 0; }
  std::int64_t value_of(std::size_t bucket) const { return static_cast<std::int64_t>(first + bucket); }

  std::uint64_t first;
  unsigned shift;
};

void sort_and_find(std::span<const std::int64_t> values, std::span<const std::size_t> positions, std::span<std::int64_t> found) {
  std::vector<std::int64_t> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  std::transform(positions.begin(), positions.end(), found.begin(), [&](std::size_t position) { return sorted[position]; });
}

}  // namespace

Ends ends_of(std::span<const std::int64_t> values) {
  Ends ends{.least = values.front(), .largest = values.front()};
  for (const auto value : values) {
    ends.least = std::min(ends.least, value);
    ends.largest = std::max(ends.largest, value);
  }
  return ends;
}

void find_in_order(std::span<const std::int64_t> values, const Ends& ends, std::span<const std::size_t> positions,
                   std::span<std::int64_t> found) {
  if (values.size() <= kFewValues) {
    return sort_and_find(values, positions, found);
  }
  const Buckets buckets(ends);
  std::array<std::size_t, kBuckets> counts{};
  for (const auto value : values) {
    ++counts[buckets.of(value)];
  }
  std::vector<std::int64_t> inside;
  std::vector<std::size_t> positions_inside;
  std::size_t before = 0;  // values of the buckets in front
  std::size_t next = 0;
  for (std::size_t bucket = 0; next < positions.size(); before += counts[bucket++]) {
    positions_inside.clear();
    const auto first = next;
    for (; next < positions.size() && positions[next] < before + counts[bucket]; ++next) {
      positions_inside.push_back(positions[next] - before);
    }
    const auto found_inside = found.subspan(first, next - first);
    if (buckets.hold_one_value_each()) {
      std::fill(found_inside.begin(), found_inside.end(), buckets.value_of(bucket));
    } else if (!positions_inside.empty()) {
      // Each value is written, and stays where the next one is not written over it.
      inside.resize(counts[bucket] + 1);
      std::size_t size = 0;
      for (const auto value : values) {
        inside[size] = value;
        size += buckets.of(value) == bucket ? 1U : 0U;
      }
      const auto values_inside = std::span(inside).first(size);
      find_in_order(values_inside, ends_of(values_inside), positions_inside, found_inside);
    }
  }
}

}  // namespace stagegate
