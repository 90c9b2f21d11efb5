// gzip: members, one after the other, with or without zero bytes behind them.
#pragma once

#include <memory>

#include "ingest/decoder.h"

namespace stagegate {

std::unique_ptr<Decoder> make_gzip_decoder(std::unique_ptr<ByteSource> source);

}  // namespace stagegate
