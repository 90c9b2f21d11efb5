// xz: streams, one after the other, with or without padding between them. A file that asks for more than 256 MiB of memory is not unpacked:
// `xz -9` asks for 65.
#pragma once

#include <memory>

#include "ingest/decoder.h"

namespace stagegate {

std::unique_ptr<Decoder> make_xz_decoder(std::unique_ptr<ByteSource> source);

}  // namespace stagegate
