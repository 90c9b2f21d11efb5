// The parts of a log, read side by side and handed over one after the other.
//
// Parts are decoded and cut into blocks of whole lines, and the blocks parsed into batches of events; the calling thread hands them over in
// their order, whatever was ready first, so that the same comes out for every number of threads. Each thread does whatever there is to do:
// it cuts a block of a part that nobody else cuts, and parses it, or parses one that another has cut. The calling thread parses the block
// whose turn it is and hands its events over as they come. So two threads share the work evenly whatever is the slower half of it, of many
// parts as of a single one. Where each thread is in its last part, those that have less left of theirs parse for the others, for nobody can
// help to decode a part. Threads that are ahead wait when the batches that nobody has taken yet reach a limit: memory does not follow the
// size of the log.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "ingest/decoder.h"
#include "ingest/part_reader.h"

namespace stagegate {

// How far the stored bytes of a part are read. One thread writes it, others look at it.
struct StoredProgress {
  std::atomic<std::uint64_t> size = 0;  // 0: not known
  std::atomic<std::uint64_t> read = 0;
};

struct LogPart {
  std::string name;
  std::function<Result<std::unique_ptr<Decoder>>(StoredProgress& progress)> open;  // called once, on any thread
};

struct PartsConsumer {
  std::function<void(Event&)> on_event;
  std::function<void(const LogPart&, const PartSummary&)> on_part_end;
};

// The first error of a source, in the order of the parts. The calling thread is one of THREADS, and does it all where the system gives no
// other.
Status read_parts(std::span<const LogPart> parts, TaskDepth depth, int threads, const PartsConsumer& consumer);

}  // namespace stagegate
