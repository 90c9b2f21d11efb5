// What the codecs have in common whose libraries take any piece of the stored bytes and give any piece of the plain ones: zstd, lz4 frames,
// gzip, bzip2, xz.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/byte_source.h"
#include "ingest/decoder.h"

namespace stagegate {

struct DecodeStep {
  std::size_t taken = 0;  // of the stored bytes
  std::size_t given = 0;  // of the plain bytes
  bool between = false;   // whether the data may end here: behind a frame and before the next
  std::string flaw;       // what is wrong with what follows, for brackets; "" while all is well
};

// A library's decoder. It reads frames (gzip: members, xz: streams) one after the other as one text.
class Unpacker {
 public:
  Unpacker() = default;
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;
  virtual ~Unpacker() = default;

  // Takes from the front of STORED and fills the front of PLAIN, until one of the two is used up or a frame has ended. STORED is empty only
  // when the last step filled all of PLAIN, so that there may be more to give.
  virtual DecodeStep step(std::string_view stored, std::span<char> plain) = 0;
};

// NAME and UNIT are for messages: "its zstd data is damaged (...)", "its last zstd frame is cut off".
std::unique_ptr<Decoder> make_stream_decoder(std::unique_ptr<ByteSource> source, std::unique_ptr<Unpacker> unpacker, std::string_view name,
                                             std::string_view unit);

// So many zero bytes are at the front: padding that the tools of gzip, bzip2 and xz pass over between two frames.
std::size_t zero_bytes(std::string_view stored);

}  // namespace stagegate
