// Ids as a set in a vector.
#pragma once

#include <algorithm>
#include <vector>

namespace stagegate {

// VALUES ascending, each of them once.
template <typename Value>
void sort_each_once(std::vector<Value>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace stagegate
