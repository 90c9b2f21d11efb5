// snappy as Spark writes it, which is snappy-java's SnappyOutputStream: a header, then blocks with their length in front; the header again
// where another stream was appended. There is no end mark and no checksum: a log that was cut between two blocks cannot be told from a
// whole one.
#pragma once

#include <memory>

#include "ingest/decoder.h"

namespace stagegate {

std::unique_ptr<Decoder> make_snappy_decoder(std::unique_ptr<ByteSource> source);

}  // namespace stagegate
