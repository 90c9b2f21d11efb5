// A part of a log between the threads that read it: how far it is cut into blocks, and the blocks on their way. Private to ingest/, for
// read_parts(), which decides who does what.
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "ingest/block.h"
#include "ingest/block_cutter.h"
#include "ingest/decoder.h"
#include "ingest/event_batch.h"
#include "ingest/part_reader.h"
#include "ingest/read_parts.h"

namespace stagegate {

struct BlockJob {
  enum class State : std::uint8_t { cut, taken, parsed };

  // Gives its events to ON_EVENT.
  PartSummary read(PartReader& reader, const PartReader::OnEvent& on_event) const;

  State state = State::cut;
  Block block;
  bool is_rest = false;  // what is behind the last line feed
  std::string damage;    // of the decoder, where it is the rest
  EventBatch batch;
  PartSummary summary;
  std::optional<Error> error;    // there is no block, as the source has failed
  std::exception_ptr exception;  // likewise, or the parser has
};

// Its blocks are cut by one thread at a time, which alone touches the decoder and the cutter.
struct PartInWork {
  // False behind the last block. What goes wrong stands in JOB.
  bool cut_next(const LogPart& source, BlockJob& job);

  // Of the stored bytes, about.
  std::uint64_t bytes_left() const;
  std::uint64_t bytes_read() const { return progress.read.load(); }

  bool is_taken = false;
  bool all_cut = false;
  bool is_plain = false;  // what is stored is what is parsed: to cut it is no more than to read it
  StoredProgress progress;
  std::unique_ptr<Decoder> decoder;  // none: not opened yet, or at its end
  std::optional<BlockCutter> cutter;
  std::deque<std::unique_ptr<BlockJob>> jobs;  // in the order of the part, those that are not handed over
};

}  // namespace stagegate
