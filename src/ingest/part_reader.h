// One part of a log (a file, or an entry of an archive): its decoded bytes in, its events out, in their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ingest/decoder.h"
#include "ingest/event_parser.h"
#include "ingest/events.h"
#include "ingest/line_splitter.h"

namespace stagegate {

// Where a part ends before it is at its end.
struct Cut {
  bool in_line = false;  // in the middle of the last line, else behind it
  std::string damage;    // of the bytes, see Decoder::damage(); "" where they are well
};

// What there is to say of a part besides its events.
struct PartSummary {
  std::int64_t lines = 0;
  std::int64_t events = 0;  // lines that are an event, used or not
  std::int64_t unknown_events = 0;
  std::int64_t malformed_lines = 0;  // the half line of a cut too
  std::int64_t broken_lines = 0;     // without it
  std::int64_t first_broken_line = 0;
  std::optional<Cut> cut;
  std::string begin;  // its first bytes where there is no event, to say what it is instead
};

// NEXT is what follows directly in the same part.
void append(PartSummary& summary, PartSummary&& next);

class PartReader {
 public:
  // Takes an event, which may be moved from, and the length of its line; false: enough, read no further. The texts of a TaskEnd are valid
  // during the call.
  using OnEvent = std::function<bool(Event& event, std::size_t line_bytes)>;

  explicit PartReader(TaskDepth depth = TaskDepth::judged) : parser_(depth) {}

  // The error is that of the source. What is wrong inside a part is in the summary.
  Result<PartSummary> read(Decoder& decoder, const OnEvent& on_event);

  // A piece of a part that somebody else has cut: whole lines, each with its line feed. kLinePadding bytes behind it must be readable.
  PartSummary read_lines(std::string_view lines, const OnEvent& on_event);
  // What is behind the last line feed of a part, "" where there is nothing; as above.
  PartSummary read_rest(std::string_view line, const std::string& damage, const OnEvent& on_event);

 private:
  TakenLine take_first(std::string_view lines, const OnEvent& on_event);
  bool take_line(std::string_view line, const OnEvent& on_event);
  void take_last_line(std::string_view line, const std::string& damage, const OnEvent& on_event);

  EventParser parser_;
  std::optional<LineSplitter> splitter_;  // for read(), with the memory of the part before
  Event event_;
  PartSummary summary_;
};

}  // namespace stagegate
