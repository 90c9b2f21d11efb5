// lzf, as Spark and the lzf command write it: chunks of at most 64 KiB, stored or compressed, with their lengths in front. There is no end
// mark and no checksum: a log that was cut between two chunks cannot be told from a whole one.
#pragma once

#include <memory>

#include "ingest/decoder.h"

namespace stagegate {

std::unique_ptr<Decoder> make_lzf_decoder(std::unique_ptr<ByteSource> source);

}  // namespace stagegate
