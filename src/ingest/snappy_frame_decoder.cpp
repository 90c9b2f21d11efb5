#include "ingest/snappy_frame_decoder.h"

#include <array>
#include <cstdint>
#include <utility>

#include <snappy.h>

#include "ingest/block_decoder.h"
#include "ingest/stored_numbers.h"

namespace stagegate {
namespace {

constexpr std::size_t kHeaderBytes = 4;
constexpr std::size_t kChecksumBytes = 4;
constexpr std::size_t kMostPlainBytes = 65536;
constexpr std::string_view kIdentifier = "sNaPpY";
// Types from first_to_skip on are for readers that know them.
enum ChunkType : unsigned char { compressed = 0x00, uncompressed = 0x01, first_to_skip = 0x80, stream_identifier = 0xFF };

// CRC-32C, the reflected polynomial of which is 0x82F63B78.
constexpr auto kCrcTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    table[i] = i;
    for (int bit = 0; bit < 8; ++bit) {
      table[i] = (table[i] >> 1U) ^ ((table[i] & 1U) != 0 ? 0x82F63B78U : 0U);
    }
  }
  return table;
}();

std::uint32_t masked_checksum(std::span<const char> plain) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : plain) {
    crc = (crc >> 8U) ^ kCrcTable[(crc ^ static_cast<unsigned char>(c)) & 0xFFU];
  }
  crc = ~crc;
  return ((crc >> 15U) | (crc << 17U)) + 0xA282EAD8U;
}

class SnappyChunks : public BlockFormat {
 public:
  std::string_view name() const override { return "snappy"; }

  tl::expected<Piece, std::string> look(std::string_view stored) override {
    if (stored.size() < kHeaderBytes) {
      return Piece{kHeaderBytes, 0};
    }
    const auto type = byte_at(stored, 0);
    const std::size_t length = little_endian_24(stored, 1);
    const auto whole = kHeaderBytes + length;
    if (type >= first_to_skip) {
      return Piece{whole, 0};
    }
    if (type != compressed && type != uncompressed) {
      return flaw("a chunk is stored in an unknown way");
    }
    std::size_t plain_bytes = length - kChecksumBytes;
    if (length < kChecksumBytes || (type == uncompressed && plain_bytes > kMostPlainBytes)) {
      return flaw("a chunk has an impossible length");
    }
    if (type == uncompressed || stored.size() < whole) {
      return Piece{whole, plain_bytes};
    }
    const auto block = stored.substr(kHeaderBytes + kChecksumBytes, plain_bytes);
    if (!snappy::GetUncompressedLength(block.data(), block.size(), &plain_bytes) || plain_bytes > kMostPlainBytes) {
      return flaw("a chunk has an impossible length");
    }
    return Piece{whole, plain_bytes};
  }

  tl::expected<void, std::string> unpack(std::string_view piece, std::span<char> plain) override {
    const auto type = byte_at(piece, 0);
    if (type == stream_identifier && piece.substr(kHeaderBytes) != kIdentifier) {
      return flaw("a stream begins with an unknown name");
    }
    if (type >= first_to_skip) {
      return {};
    }
    const auto block = piece.substr(kHeaderBytes + kChecksumBytes);
    if (type == uncompressed) {
      block.copy(plain.data(), plain.size());
    } else if (!snappy::RawUncompress(block.data(), block.size(), plain.data())) {
      return flaw("a chunk cannot be unpacked");
    }
    if (masked_checksum(plain) != little_endian_32(piece, kHeaderBytes)) {
      return flaw("a chunk does not match its checksum");
    }
    return {};
  }
};

}  // namespace

std::unique_ptr<Decoder> make_snappy_frame_decoder(std::unique_ptr<ByteSource> source) {
  return make_block_decoder(std::move(source), std::make_unique<SnappyChunks>());
}

}  // namespace stagegate
