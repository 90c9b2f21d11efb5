// Which row of a table belongs to a partition. Partitions come as 0, 1, 2, ... in nearly this order, so that a plain vector does; what
// would make it mostly empty goes to a hash map, whatever a log says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace stagegate {

class PartitionIndex {
 public:
  // PARTITION is not negative.
  std::optional<std::size_t> find(std::int32_t partition) const;
  void set(std::int32_t partition, std::size_t row);
  void erase(std::int32_t partition);

 private:
  static constexpr std::int32_t kNone = -1;

  std::vector<std::int32_t> near_;
  std::unordered_map<std::int32_t, std::int32_t> far_;
  std::size_t sets_ = 0;
};

}  // namespace stagegate
