// Cuts what a decoder gives into blocks of whole lines.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "ingest/block.h"
#include "ingest/decoder.h"
#include "ingest/line_splitter.h"

namespace stagegate {

class BlockCutter {
 public:
  explicit BlockCutter(Decoder& decoder, std::size_t block_bytes = std::size_t{256} * 1024, std::size_t max_line_bytes = kMaxLineBytes)
      : decoder_(decoder), block_bytes_(block_bytes), max_line_bytes_(max_line_bytes) {}

  // Fills BLOCK with whole lines, about block_bytes of them, each with its line feed; false where the decoder is at its end, and BLOCK
  // holds what is behind the last line feed, with a line feed in the padding behind it. Of a line that is longer than the limit only a
  // beginning is kept that is just over it.
  Result<bool> next(Block& block);

 private:
  Decoder& decoder_;
  std::size_t block_bytes_;
  std::size_t max_line_bytes_;
  Block rest_;  // of the last read: the line that is not complete
};

}  // namespace stagegate
