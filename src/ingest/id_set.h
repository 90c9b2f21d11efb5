// Which ids have been seen. Ids of tasks come as 0, 1, 2, ... in nearly this order, so that one costs about two bits; any others are taken
// as well, at about 120 bytes each.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

namespace stagegate {

class IdSet {
 public:
  IdSet() = default;
  IdSet(const IdSet&) = delete;
  IdSet& operator=(const IdSet&) = delete;

  // False: it was there already.
  bool insert(std::int64_t id);

 private:
  static constexpr unsigned kBits = 512;
  using Chunk = std::array<std::uint64_t, kBits / 64>;

  std::unordered_map<std::int64_t, Chunk> chunks_;  // by id / kBits
  std::int64_t last_ = 0;                           // the key of last_chunk_
  Chunk* last_chunk_ = nullptr;
};

}  // namespace stagegate
