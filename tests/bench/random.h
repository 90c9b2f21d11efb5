// splitmix64: the same numbers from the same seed everywhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace stagegate::bench {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15ULL;
    z = (z ^ z >> 30U) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27U) * 0x94D049BB133111EBULL;
    return z ^ z >> 31U;
  }

  // [0, 1)
  double unit() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(unit() * static_cast<double>(limit)); }

  // Near BASE, with a tail: an eighth to four times as much. Nothing stays nothing.
  std::int64_t vary(std::int64_t base) {
    const double u = unit();
    const auto made = static_cast<std::int64_t>(static_cast<double>(base) * (0.125 + 3.875 * u * u * u));
    return base == 0 ? 0 : std::max<std::int64_t>(made, 1);
  }

 private:
  std::uint64_t state_;
};

}  // namespace stagegate::bench
