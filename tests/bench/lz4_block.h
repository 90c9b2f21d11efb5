// The framing of lz4-java's LZ4BlockOutputStream, in which Spark writes lz4. Per block a header (magic, method and level in one byte,
// stored length, length, checksum, all little-endian), then the bytes; a block of length 0 ends the stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <xxhash.h>

namespace stagegate::bench::lz4_block {

inline constexpr std::string_view kMagic = "LZ4Block";
inline constexpr std::size_t kHeaderBytes = 21;
inline constexpr std::size_t kBlockBytes = 32768;  // spark.io.compression.lz4.blockSize
inline constexpr std::uint8_t kStored = 0x10;
inline constexpr std::uint8_t kCompressed = 0x20;
inline constexpr std::uint8_t kLevel = 5;  // log2(kBlockBytes) - 10

struct Header {
  std::uint8_t method = kStored;
  std::uint32_t stored_bytes = 0;
  std::uint32_t bytes = 0;
  std::uint32_t checksum = 0;
};

// lz4-java makes a java.util.zip.Checksum of XXH32 and loses its four highest bits on the way.
inline std::uint32_t checksum(const char* data, std::size_t bytes) {
  return XXH32(data, bytes, 0x9747b28cU) & 0x0FFFFFFFU;
}

inline void put(std::string& out, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) {
    out.push_back(static_cast<char>(number >> shift & 0xFFU));
  }
}

inline std::uint32_t get(const char* data) {
  std::uint32_t number = 0;
  for (std::size_t i = 4; i-- > 0;) {
    number = number << 8U | static_cast<std::uint8_t>(data[i]);
  }
  return number;
}

inline std::string encode(const Header& header) {
  std::string out(kMagic);
  out.push_back(static_cast<char>(header.method | kLevel));
  put(out, header.stored_bytes);
  put(out, header.bytes);
  put(out, header.checksum);
  return out;
}

// DATA: kHeaderBytes, of which the magic was looked at.
inline Header decode(const char* data) {
  return {.method = static_cast<std::uint8_t>(static_cast<std::uint8_t>(data[8]) & 0xF0U),
          .stored_bytes = get(data + 9),
          .bytes = get(data + 13),
          .checksum = get(data + 17)};
}

}  // namespace stagegate::bench::lz4_block
