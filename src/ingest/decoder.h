// From the bytes of a log, in whatever form they are stored, to its plain text.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/byte_source.h"
#include "base/result.h"

namespace stagegate {

// A log that is cut off or damaged is not an error: what comes before the place is read, and damage() says what is wrong with the rest.
class Decoder : public ByteSource {
 public:
  // "" while all is well. After read() has returned 0: why that was not the end, as the end of a sentence: "its last zstd frame is cut
  // off".
  virtual std::string damage() const = 0;

  // Nothing is unpacked: reading costs next to nothing.
  virtual bool is_plain() const { return false; }
};

// Looks at the first bytes and takes the decoder that fits; where what comes out is packed once more (Spark's zstd in somebody's gzip), two
// of them. The error names a form that cannot be read; NAME is the log's.
Result<std::unique_ptr<Decoder>> open_decoder(std::unique_ptr<ByteSource> source, std::string_view name);

}  // namespace stagegate
