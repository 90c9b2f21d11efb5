#include "ingest/snappy_decoder.h"

#include <cstdint>
#include <utility>

#include <snappy.h>

#include "ingest/block_decoder.h"
#include "ingest/stored_numbers.h"

namespace stagegate {
namespace {

using namespace std::string_view_literals;

constexpr auto kMagic = "\x82SNAPPY\0"sv;
constexpr std::size_t kHeaderBytes = kMagic.size() + 8;  // with its version and the oldest one that can read it
constexpr std::uint32_t kFirstVersion = 1;
constexpr std::size_t kLengthBytes = 4;
// Spark's blocks have 32 KiB. A setting can make them larger, but nobody has reason to go so far.
constexpr std::size_t kMostBytes = std::size_t{64} * 1024 * 1024;

class SnappyBlocks : public BlockFormat {
 public:
  std::string_view name() const override { return "snappy"; }

  tl::expected<Piece, std::string> look(std::string_view stored) override {
    if (stored.size() < kLengthBytes) {
      return Piece{kLengthBytes, 0};
    }
    // The magic would be a negative length: so the two can be told apart.
    if (is_header(stored)) {
      return look_at_header(stored);
    }
    const auto length = big_endian_32(stored, 0);
    if (length == 0 || length > kMostBytes) {
      return flaw("a block has an impossible length");
    }
    const auto whole = kLengthBytes + length;
    if (stored.size() < whole) {
      return Piece{whole, 0};
    }
    std::size_t plain_bytes = 0;
    if (!snappy::GetUncompressedLength(stored.data() + kLengthBytes, length, &plain_bytes) || plain_bytes > kMostBytes) {
      return flaw("a block has an impossible length");
    }
    return Piece{whole, plain_bytes};
  }

  tl::expected<void, std::string> unpack(std::string_view piece, std::span<char> plain) override {
    if (is_header(piece)) {
      return {};
    }
    const auto stored = piece.substr(kLengthBytes);
    if (!snappy::RawUncompress(stored.data(), stored.size(), plain.data())) {
      return flaw("a block cannot be unpacked");
    }
    return {};
  }

 private:
  static bool is_header(std::string_view piece) { return piece.starts_with(kMagic.substr(0, kLengthBytes)); }

  static tl::expected<Piece, std::string> look_at_header(std::string_view stored) {
    if (stored.size() < kHeaderBytes) {
      return Piece{kHeaderBytes, 0};
    }
    if (!stored.starts_with(kMagic)) {
      return flaw("a block has an impossible length");
    }
    if (big_endian_32(stored, kMagic.size()) < kFirstVersion) {
      return flaw("its version is unknown");
    }
    return Piece{kHeaderBytes, 0};
  }
};

}  // namespace

std::unique_ptr<Decoder> make_snappy_decoder(std::unique_ptr<ByteSource> source) {
  return make_block_decoder(std::move(source), std::make_unique<SnappyBlocks>());
}

}  // namespace stagegate
