// Decodes on a thread of its own, a few chunks ahead of who parses.
#pragma once

#include <cstdint>
#include <memory>

#include "ingest/decoder.h"

namespace stagegate {

enum class Ahead : std::uint8_t { no, yes };

// The same bytes, errors and damage. Where nothing is compressed there is nothing to gain, and DECODER itself comes back.
std::unique_ptr<Decoder> read_ahead(std::unique_ptr<Decoder> decoder);

}  // namespace stagegate
