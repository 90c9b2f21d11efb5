#include "ingest/id_set.h"

namespace stagegate {

bool IdSet::insert(std::int64_t id) {
  const auto key = id >= 0 ? id / kBits : -1 - (-1 - id) / kBits;
  if (last_chunk_ == nullptr || last_ != key) {
    last_chunk_ = &chunks_[key];
    last_ = key;
  }
  const auto bit = static_cast<std::uint64_t>(id) % kBits;
  auto& word = (*last_chunk_)[bit / 64];
  const auto mask = std::uint64_t{1} << (bit % 64);
  const bool is_new = (word & mask) == 0;
  word |= mask;
  return is_new;
}

}  // namespace stagegate
