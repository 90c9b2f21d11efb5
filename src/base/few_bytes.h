// Numbers in as few whole bytes as they need, the lowest first.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace stagegate {

static_assert(std::endian::native == std::endian::little, "words are read and written as their bytes lie in memory, the lowest first");

// 0 for 0, up to 8.
inline std::size_t bytes_for(std::uint64_t number) {
  return (static_cast<std::size_t>(std::bit_width(number)) + 7) / 8;
}

// The bits of WIDTH bytes, up to 8.
inline std::uint64_t mask_of(std::size_t width) {
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  constexpr std::array<std::uint64_t, 9> kMasks{0,           kAll >> 56U, kAll >> 48U, kAll >> 40U, kAll >> 32U,
                                                kAll >> 24U, kAll >> 16U, kAll >> 8U,  kAll};
  return kMasks[width];
}

// Of 8 bytes at BYTES, whatever they hold.
inline std::uint64_t word_at(const void* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

inline void set_word(void* bytes, std::uint64_t word) {
  std::memcpy(bytes, &word, sizeof word);
}

}  // namespace stagegate
