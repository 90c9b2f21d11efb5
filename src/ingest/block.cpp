#include "ingest/block.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ingest/line_splitter.h"

namespace stagegate {

Block::Block(Block&& other) noexcept
    : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)), capacity_(std::exchange(other.capacity_, 0)) {}

Block& Block::operator=(Block&& other) noexcept {
  bytes_ = std::move(other.bytes_);
  size_ = std::exchange(other.size_, 0);
  capacity_ = std::exchange(other.capacity_, 0);
  return *this;
}

void Block::enlarge(std::size_t bytes) {
  const auto capacity = size_ + std::max(bytes, size_ / 2);
  auto larger = std::make_unique_for_overwrite<char[]>(capacity + kLinePadding);
  if (size_ > 0) {
    std::memcpy(larger.get(), bytes_.get(), size_);
  }
  bytes_ = std::move(larger);
  capacity_ = capacity;
}

}  // namespace stagegate
