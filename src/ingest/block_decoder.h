// What the codecs have in common that write blocks with their lengths in front: those of Spark (lz4, snappy, lzf) and snappy's own.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

#include "base/byte_source.h"
#include "ingest/decoder.h"

namespace stagegate {

// What is wrong with stored data, for brackets: "a block does not match its checksum".
using Flaw = tl::unexpected<std::string>;

inline Flaw flaw(std::string what) {
  return Flaw(std::move(what));
}

// A stretch of stored bytes: a block, or a header or a mark without content.
struct Piece {
  std::size_t stored_bytes = 0;  // with its own header
  std::size_t plain_bytes = 0;   // what it unpacks to
};

// How one codec writes its pieces. Lengths are whatever somebody wrote into a file: look() lets none pass that the codec does not allow.
class BlockFormat {
 public:
  BlockFormat() = default;
  BlockFormat(const BlockFormat&) = delete;
  BlockFormat& operator=(const BlockFormat&) = delete;
  virtual ~BlockFormat() = default;

  // For messages: "lz4".
  virtual std::string_view name() const = 0;

  // What begins at the front of STORED, which is not empty. A piece longer than STORED is asked for again when there is as much of it:
  // so it may be a header first and then the whole.
  virtual tl::expected<Piece, std::string> look(std::string_view stored) = 0;

  // Unpacks a piece of which every byte is there into PLAIN, which has room for exactly its plain_bytes.
  virtual tl::expected<void, std::string> unpack(std::string_view piece, std::span<char> plain) = 0;

  // Whether the data may end after the pieces so far: "", or what is wrong with that, as Decoder::damage() says it.
  virtual std::string missing_end() const { return {}; }
};

std::unique_ptr<Decoder> make_block_decoder(std::unique_ptr<ByteSource> source, std::unique_ptr<BlockFormat> format);

}  // namespace stagegate
