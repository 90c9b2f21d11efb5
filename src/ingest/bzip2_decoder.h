// bzip2: streams, one after the other.
#pragma once

#include <memory>

#include "ingest/decoder.h"

namespace stagegate {

std::unique_ptr<Decoder> make_bzip2_decoder(std::unique_ptr<ByteSource> source);

}  // namespace stagegate
