#include "ingest/lzf_decoder.h"

#include <cstring>
#include <utility>

#include <lzf.h>

#include "ingest/block_decoder.h"
#include "ingest/stored_numbers.h"

namespace stagegate {
namespace {

constexpr std::string_view kMagic = "ZV";
constexpr std::size_t kStoredHeaderBytes = kMagic.size() + 3;      // its type, its length
constexpr std::size_t kCompressedHeaderBytes = kMagic.size() + 5;  // and the plain length
enum ChunkType : unsigned char { stored_chunk = 0, compressed_chunk = 1 };

class LzfChunks : public BlockFormat {
 public:
  std::string_view name() const override { return "lzf"; }

  tl::expected<Piece, std::string> look(std::string_view stored) override {
    if (stored.substr(0, kMagic.size()) != kMagic.substr(0, stored.size())) {
      return flaw("no chunk begins where one should");
    }
    if (stored.size() < kStoredHeaderBytes) {
      return Piece{kStoredHeaderBytes, 0};
    }
    const std::size_t length = big_endian_16(stored, kMagic.size() + 1);
    switch (byte_at(stored, kMagic.size())) {
      case stored_chunk:
        return Piece{kStoredHeaderBytes + length, length};
      case compressed_chunk:
        return look_at_compressed(stored, length);
      default:
        return flaw("a chunk is stored in an unknown way");
    }
  }

  tl::expected<void, std::string> unpack(std::string_view piece, std::span<char> plain) override {
    if (byte_at(piece, kMagic.size()) == stored_chunk) {
      piece.copy(plain.data(), plain.size(), kStoredHeaderBytes);
      return {};
    }
    const auto stored = piece.substr(kCompressedHeaderBytes);
    if (lzf_decompress(stored.data(), static_cast<unsigned>(stored.size()), plain.data(), static_cast<unsigned>(plain.size())) !=
        plain.size()) {
      return flaw("a chunk cannot be unpacked");
    }
    return {};
  }

 private:
  // liblzf reads a byte before it looks whether there is one, and says 0 for an error: so neither length may be 0.
  static tl::expected<Piece, std::string> look_at_compressed(std::string_view stored, std::size_t length) {
    if (stored.size() < kCompressedHeaderBytes) {
      return Piece{kCompressedHeaderBytes, 0};
    }
    const std::size_t plain_bytes = big_endian_16(stored, kStoredHeaderBytes);
    if (length == 0 || plain_bytes == 0) {
      return flaw("a chunk has an impossible length");
    }
    return Piece{kCompressedHeaderBytes + length, plain_bytes};
  }
};

}  // namespace

std::unique_ptr<Decoder> make_lzf_decoder(std::unique_ptr<ByteSource> source) {
  return make_block_decoder(std::move(source), std::make_unique<LzfChunks>());
}

}  // namespace stagegate
