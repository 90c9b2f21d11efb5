// The numbers in the headers of stored data. AT is where they begin; the bytes have to be there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stagegate {

inline std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

inline std::uint32_t big_endian_16(std::string_view bytes, std::size_t at) {
  return (byte_at(bytes, at) << 8U) | byte_at(bytes, at + 1);
}

inline std::uint32_t big_endian_32(std::string_view bytes, std::size_t at) {
  return (big_endian_16(bytes, at) << 16U) | big_endian_16(bytes, at + 2);
}

inline std::uint32_t little_endian_16(std::string_view bytes, std::size_t at) {
  return byte_at(bytes, at) | (byte_at(bytes, at + 1) << 8U);
}

inline std::uint32_t little_endian_24(std::string_view bytes, std::size_t at) {
  return little_endian_16(bytes, at) | (byte_at(bytes, at + 2) << 16U);
}

inline std::uint32_t little_endian_32(std::string_view bytes, std::size_t at) {
  return little_endian_24(bytes, at) | (byte_at(bytes, at + 3) << 24U);
}

}  // namespace stagegate
