#include "ingest/part_reader.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace stagegate {
namespace {

// Small enough that a chunk is still in the processor's second-level cache when its lines are parsed.
constexpr std::size_t kChunkBytes = std::size_t{256} * 1024;

// So much of a part without events is looked at to say what it is instead.
constexpr std::size_t kBeginBytes = 4096;

void drop_begin_of_events(PartSummary& summary) {
  if (summary.events > 0) {
    summary.begin.clear();
  }
}

}  // namespace

void append(PartSummary& summary, PartSummary&& next) {
  if (summary.broken_lines == 0 && next.broken_lines > 0) {
    summary.first_broken_line = summary.lines + next.first_broken_line;
  }
  if (summary.begin.size() < kBeginBytes) {
    summary.begin.append(next.begin, 0, kBeginBytes - summary.begin.size());
  }
  summary.lines += next.lines;
  summary.events += next.events;
  drop_begin_of_events(summary);
  summary.unknown_events += next.unknown_events;
  summary.malformed_lines += next.malformed_lines;
  summary.broken_lines += next.broken_lines;
  summary.cut = std::move(next.cut);
}

// Nearly every second line is the end of a task, and its reader comes upon its end anyway.
TakenLine PartReader::take_first(std::string_view lines, const OnEvent& on_event) {
  const auto size = parser_.parse_first(lines, event_);
  if (size == 0) {
    return {};
  }
  ++summary_.lines;
  ++summary_.events;
  return {.size = size, .go_on = on_event(event_, size)};
}

bool PartReader::take_line(std::string_view line, const OnEvent& on_event) {
  ++summary_.lines;
  if (trim(line).empty()) {
    return true;
  }
  const auto kind = line.size() > kMaxLineBytes ? LineKind::malformed : parser_.parse(line, event_);
  switch (kind) {
    case LineKind::event:
      ++summary_.events;
      return on_event(event_, line.size());
    case LineKind::ignored:
      ++summary_.events;
      return true;
    case LineKind::unknown:
      ++summary_.events;
      ++summary_.unknown_events;
      return true;
    case LineKind::malformed:
      break;
  }
  ++summary_.malformed_lines;
  if (summary_.broken_lines++ == 0) {
    summary_.first_broken_line = summary_.lines;
  }
  return true;
}

// A log that was cut ends in half a line, if it was not cut between two. A whole one without a line feed is taken as it is.
void PartReader::take_last_line(std::string_view line, const std::string& damage, const OnEvent& on_event) {
  const auto broken_before = summary_.broken_lines;
  if (!line.empty()) {
    take_line(line, on_event);
  }
  const bool half = summary_.broken_lines > broken_before;
  summary_.broken_lines = broken_before;
  if (half || !damage.empty()) {
    summary_.cut = Cut{half, damage};
  }
}

PartSummary PartReader::read_lines(std::string_view lines, const OnEvent& on_event) {
  summary_ = PartSummary();
  const auto begin = lines.substr(0, kBeginBytes);
  while (!lines.empty()) {
    auto size = take_first(lines, on_event).size;
    if (size == 0) {
      const auto line = lines.substr(0, lines.find('\n'));
      size = line.size();
      take_line(line, on_event);
    }
    lines.remove_prefix(std::min(lines.size(), size + 1));
  }
  if (summary_.events == 0) {
    summary_.begin = begin;
  }
  return std::move(summary_);
}

PartSummary PartReader::read_rest(std::string_view line, const std::string& damage, const OnEvent& on_event) {
  summary_ = PartSummary();
  summary_.begin = line.substr(0, kBeginBytes);
  take_last_line(line, damage, on_event);
  drop_begin_of_events(summary_);
  return std::move(summary_);
}

Result<PartSummary> PartReader::read(Decoder& decoder, const OnEvent& on_event) {
  summary_ = PartSummary();
  auto& splitter = splitter_ ? *splitter_ : splitter_.emplace(kChunkBytes);
  splitter.restart();
  for (;;) {
    const auto room = splitter.room();
    STAGEGATE_TRY_ASSIGN(count, decoder.read(room));
    if (count == 0) {
      break;
    }
    if (summary_.begin.size() < kBeginBytes) {
      summary_.begin.append(room.data(), std::min(count, kBeginBytes - summary_.begin.size()));
    }
    if (!splitter.filled(
            count, [&](std::string_view lines) { return take_first(lines, on_event); },
            [&](std::string_view line) { return take_line(line, on_event); })) {
      return std::move(summary_);
    }
  }
  take_last_line(splitter.finish(), decoder.damage(), on_event);
  drop_begin_of_events(summary_);
  return std::move(summary_);
}

}  // namespace stagegate
