// lz4 as the lz4 command writes it: frames, one after the other, and frames to skip between them. Spark writes another form, see
// lz4_decoder.h; this one is a log that somebody packed by hand.
#pragma once

#include <memory>

#include "ingest/decoder.h"

namespace stagegate {

std::unique_ptr<Decoder> make_lz4_frame_decoder(std::unique_ptr<ByteSource> source);

}  // namespace stagegate
