// lz4 as Spark writes it, which is lz4-java's LZ4BlockOutputStream: the lz4 command cannot read it, and lz4_frame_decoder.h neither.
//
// A block is "LZ4Block", a token (high half: how it is stored; low half: how large blocks may be), its stored and its plain length, a
// checksum of the plain bytes, and the stored bytes. A block of no bytes is the end mark, and another stream may follow it. A log that
// Spark closed ends with one, so one that ends without is cut.
#pragma once

#include <memory>

#include "ingest/decoder.h"

namespace stagegate {

std::unique_ptr<Decoder> make_lz4_decoder(std::unique_ptr<ByteSource> source);

}  // namespace stagegate
