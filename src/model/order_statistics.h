// Single places of a sorted order, without sorting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace stagegate {

struct Ends {
  std::int64_t least = 0;
  std::int64_t largest = 0;
};

// Of VALUES, at least one.
Ends ends_of(std::span<const std::int64_t> values);

// What would stand at POSITIONS, ascending and below VALUES.size(), if VALUES were sorted; one in FOUND for each. ENDS are theirs. Values
// are counted by their leading eight bits and only those that share these with one that is looked for are looked at again: no branch
// depends on how two values compare, which is what partitioning spends its time on.
void find_in_order(std::span<const std::int64_t> values, const Ends& ends, std::span<const std::size_t> positions,
                   std::span<std::int64_t> found);

}  // namespace stagegate
