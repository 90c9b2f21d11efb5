// zstd, as Spark writes it: many frames one after the other, since every flush ends a frame, or one frame (Spark 2.4, files made by hand).
#pragma once

#include <memory>

#include "ingest/decoder.h"

namespace stagegate {

std::unique_ptr<Decoder> make_zstd_decoder(std::unique_ptr<ByteSource> source);

}  // namespace stagegate
