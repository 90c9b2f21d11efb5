// A number as several runs of the same job have it.
#pragma once

#include <cstdint>

namespace stagegate {

// A number that was seen once or in each of several runs of the same job: the smallest and the largest.
struct Seen {
  std::int64_t least = 0;
  std::int64_t most = 0;

  Seen() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a number that was always the same is the usual case
  Seen(std::int64_t always) : least(always), most(always) {}
  Seen(std::int64_t smallest, std::int64_t largest) : least(smallest), most(largest) {}

  bool varies() const { return least != most; }

  friend bool operator==(const Seen&, const Seen&) = default;
};

}  // namespace stagegate
