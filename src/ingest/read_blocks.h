// One part of a log, read by several threads: one of them decodes and cuts what comes out into blocks of whole lines, all of them parse the
// blocks, and the calling thread takes the events in their order. Who decodes parses as well when it is far ahead, and who takes events
// parses when none are ready, so that two threads share the work evenly whatever is the slower half of it.
#pragma once

#include <functional>

#include "base/result.h"
#include "ingest/decoder.h"
#include "ingest/part_reader.h"

namespace stagegate {

// The same events, summary and errors as PartReader::read() for every number of THREADS; at least 2. The blocks that are under way hold a
// few MB a thread.
Result<PartSummary> read_in_blocks(Decoder& decoder, TaskDepth depth, int threads, const std::function<void(Event&)>& on_event);

}  // namespace stagegate
