#include "ingest/partition_index.h"

namespace stagegate {

std::optional<std::size_t> PartitionIndex::find(std::int32_t partition) const {
  const auto place = static_cast<std::size_t>(partition);
  if (place < near_.size() && near_[place] != kNone) {
    return static_cast<std::size_t>(near_[place]);
  }
  if (far_.empty()) {
    return std::nullopt;
  }
  const auto found = far_.find(partition);
  return found == far_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found->second));
}

void PartitionIndex::set(std::int32_t partition, std::size_t row) {
  const auto place = static_cast<std::size_t>(partition);
  ++sets_;
  if (const auto found = far_.find(partition); found != far_.end()) {
    found->second = static_cast<std::int32_t>(row);
    return;
  }
  if (place >= near_.size()) {
    if (place >= 4 * sets_ + 1024) {
      far_.emplace(partition, static_cast<std::int32_t>(row));
      return;
    }
    near_.resize(place + 1, kNone);
  }
  near_[place] = static_cast<std::int32_t>(row);
}

void PartitionIndex::erase(std::int32_t partition) {
  const auto place = static_cast<std::size_t>(partition);
  if (place < near_.size()) {
    near_[place] = kNone;
  }
  far_.erase(partition);
}

}  // namespace stagegate
