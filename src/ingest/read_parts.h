// The parts of a log, read side by side and handed over one after the other.
//
// Each thread reads parts in their order and parses them into batches; the calling thread takes the batches in the order of the parts,
// whatever finished first, so that the same comes out for every number of threads. Threads that are ahead wait when the batches that nobody
// has taken yet reach a limit: memory does not follow the size of the log.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "ingest/decoder.h"
#include "ingest/part_reader.h"

namespace stagegate {

struct LogPart {
  std::string name;
  std::function<Result<std::unique_ptr<Decoder>>()> open;  // called once, on any thread
};

struct PartsConsumer {
  std::function<void(Event&)> on_event;
  std::function<void(const LogPart&, const PartSummary&)> on_part_end;
};

// The first error of a source, in the order of the parts. A single part is read by all threads together (read_blocks.h).
Status read_parts(std::span<const LogPart> parts, TaskDepth depth, int threads, const PartsConsumer& consumer);

}  // namespace stagegate
