// snappy's own framing format, which Spark does not write: a log that somebody packed by hand (snzip, python-snappy). It is described in
// framing_format.txt of snappy's sources.
#pragma once

#include <memory>

#include "ingest/decoder.h"

namespace stagegate {

std::unique_ptr<Decoder> make_snappy_frame_decoder(std::unique_ptr<ByteSource> source);

}  // namespace stagegate
