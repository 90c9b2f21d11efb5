#include "identity/stage_hashes.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "identity/stable_hash.h"

namespace stagegate {
namespace {

std::uint64_t hash_of(const std::vector<std::string>& lines) {
  std::uint64_t hash = lines.size();
  for (const auto& line : lines) {
    hash = mixed(hash, stable_hash(line));
  }
  return hash;
}

// The neighbours count whatever their order.
std::uint64_t with_neighbours(std::uint64_t own, StageHashes neighbours) {
  std::sort(neighbours.begin(), neighbours.end());
  for (const auto neighbour : neighbours) {
    own = mixed(own, neighbour);
  }
  return own;
}

StageHashes up(const StageHashes& own, std::span<const StageTraits> stages) {
  StageHashes result;
  result.reserve(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    StageHashes producers;
    for (const auto producer : stages[i].producers) {
      producers.push_back(result[producer]);
    }
    result.push_back(with_neighbours(own[i], std::move(producers)));
  }
  return result;
}

StageHashes down(const StageHashes& own, std::span<const StageTraits> stages) {
  std::vector<StageHashes> consumers(own.size());
  StageHashes result = own;
  for (auto i = own.size(); i-- > 0;) {
    result[i] = with_neighbours(own[i], std::move(consumers[i]));
    for (const auto producer : stages[i].producers) {
      consumers[producer].push_back(result[i]);
    }
  }
  return result;
}

}  // namespace

// The finaliser of SplitMix64 over both: https://prng.di.unimi.it/splitmix64.c.
std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  auto z = a * 0x9e3779b97f4a7c15U + b;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

GraphHashes hashes_of(std::span<const StageTraits> stages) {
  GraphHashes hashes;
  for (const auto& stage : stages) {
    hashes.work.push_back(hash_of(stage.work));
    hashes.own.push_back(mixed(stable_hash(stage.purpose), hashes.work.back()));
  }
  hashes.own_up = up(hashes.own, stages);
  hashes.own_down = down(hashes.own, stages);
  hashes.work_up = up(hashes.work, stages);
  hashes.work_down = down(hashes.work, stages);
  return hashes;
}

}  // namespace stagegate
