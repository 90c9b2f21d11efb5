// What a fuzz target holds to be true.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace stagegate {

// Where it does not hold, the process ends: that is a finding, and libFuzzer keeps the input.
inline void require(bool holds, std::string_view what) {
  if (!holds) {
    std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
    std::abort();
  }
}

// And where two texts differ, they are shown from there on.
inline void require_same(std::string_view one, std::string_view other, std::string_view what) {
  const auto place = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  if (place.first != one.end() || place.second != other.end()) {
    const auto begin = static_cast<std::size_t>(std::max<std::ptrdiff_t>(place.first - one.begin() - 100, 0));
    for (const auto text : {one.substr(begin, 600), other.substr(begin, 600)}) {
      std::fprintf(stderr, "---\n%.*s\n", static_cast<int>(text.size()), text.data());
    }
  }
  require(one == other, what);
}

}  // namespace stagegate
