// Single places of a sorted order, without sorting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace stagegate {

// What would stand at POSITIONS, ascending and below VALUES.size(), if VALUES were sorted; one in FOUND for each. Values are counted by
// their leading eight bits and only those that share these with one that is looked for are looked at again: no branch depends on how two
// values compare, which is what partitioning spends its time on.
void find_in_order(std::span<const std::int64_t> values, std::span<const std::size_t> positions, std::span<std::int64_t> found);

}  // namespace stagegate
