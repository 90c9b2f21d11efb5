#include "ingest/lz4_decoder.h"

#include <cstdint>
#include <cstring>
#include <utility>

#include <lz4.h>
#include <xxhash.h>

#include "ingest/block_decoder.h"
#include "ingest/stored_numbers.h"

namespace stagegate {
namespace {

constexpr std::string_view kMagic = "LZ4Block";
constexpr std::size_t kHeaderBytes = kMagic.size() + 13;
constexpr std::uint32_t kRaw = 0x10;
constexpr std::uint32_t kLz4 = 0x20;

struct Header {
  std::uint32_t method;
  std::uint32_t most_plain_bytes;
  std::uint32_t stored_bytes;
  std::uint32_t plain_bytes;
  std::uint32_t checksum;

  bool is_end_mark() const { return stored_bytes == 0 && plain_bytes == 0; }
};

Header read_header(std::string_view stored) {
  const auto token = byte_at(stored, kMagic.size());
  return {token & 0xF0U, 1U << (10U + (token & 0x0FU)), little_endian_32(stored, kMagic.size() + 1),
          little_endian_32(stored, kMagic.size() + 5), little_endian_32(stored, kMagic.size() + 9)};
}

bool lengths_are_possible(const Header& header) {
  if (header.plain_bytes > header.most_plain_bytes) {
    return false;
  }
  if (header.method == kRaw || header.plain_bytes == 0) {
    return header.stored_bytes == header.plain_bytes;
  }
  return header.stored_bytes > 0 &&
         header.stored_bytes <= static_cast<std::uint32_t>(LZ4_compressBound(static_cast<int>(header.plain_bytes)));
}

// lz4-java hands its checksum on through an interface that drops the four high bits.
std::uint32_t checksum_of(std::span<const char> plain) {
  return XXH32(plain.data(), plain.size(), 0x9747B28C) & 0x0FFFFFFFU;
}

class Lz4Blocks : public BlockFormat {
 public:
  std::string_view name() const override { return "lz4"; }

  tl::expected<Piece, std::string> look(std::string_view stored) override {
    if (stored.substr(0, kMagic.size()) != kMagic.substr(0, stored.size())) {
      return flaw("no block begins where one should");
    }
    if (stored.size() < kHeaderBytes) {
      return Piece{kHeaderBytes, 0};
    }
    const auto header = read_header(stored);
    if (header.method != kRaw && header.method != kLz4) {
      return flaw("a block is stored in an unknown way");
    }
    if (!lengths_are_possible(header)) {
      return flaw("a block has an impossible length");
    }
    return Piece{kHeaderBytes + header.stored_bytes, header.plain_bytes};
  }

  tl::expected<void, std::string> unpack(std::string_view piece, std::span<char> plain) override {
    const auto header = read_header(piece);
    const auto stored = piece.substr(kHeaderBytes);
    if (header.is_end_mark()) {
      end_mark_is_due_ = false;
      return header.checksum == 0 ? tl::expected<void, std::string>() : flaw("an end mark has a checksum");
    }
    if (header.method == kRaw) {
      std::memcpy(plain.data(), stored.data(), plain.size());
    } else if (LZ4_decompress_safe(stored.data(), plain.data(), static_cast<int>(stored.size()), static_cast<int>(plain.size())) !=
               static_cast<int>(plain.size())) {
      return flaw("a block cannot be unpacked");
    }
    if (checksum_of(plain) != header.checksum) {
      return flaw("a block does not match its checksum");
    }
    end_mark_is_due_ = true;
    return {};
  }

  std::string missing_end() const override { return end_mark_is_due_ ? "its lz4 end mark is missing" : ""; }

 private:
  bool end_mark_is_due_ = false;
};

}  // namespace

std::unique_ptr<Decoder> make_lz4_decoder(std::unique_ptr<ByteSource> source) {
  return make_block_decoder(std::move(source), std::make_unique<Lz4Blocks>());
}

}  // namespace stagegate
