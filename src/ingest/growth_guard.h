// Stops the reading of data that was made to grow without end when it is unpacked.
#pragma once

#include <cstdint>
#include <memory>

#include "base/byte_source.h"
#include "ingest/decoder.h"

namespace stagegate {

// Data is suspect that grows beyond both. An event log shrinks to a tenth, one that says the same thing all the time to a fiftieth.
struct GrowthLimits {
  std::uint64_t plain_bytes = std::uint64_t{1} << 30U;
  std::uint64_t factor = 1000;

  bool passed(std::uint64_t stored, std::uint64_t plain) const { return plain > plain_bytes && plain > factor * stored; }
};

// For Decoder::damage().
inline constexpr const char* kGrowthDamage = "it grows more than a thousandfold when it is unpacked, which no event log does";

using MakeDecoder = std::unique_ptr<Decoder> (*)(std::unique_ptr<ByteSource>);

// The decoder that MAKE makes of SOURCE, as long as it stays within the limits; then it ends, and damage() says why.
std::unique_ptr<Decoder> guard_growth(std::unique_ptr<ByteSource> source, MakeDecoder make, const GrowthLimits& limits = {});

}  // namespace stagegate
