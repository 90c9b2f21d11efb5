// One line of an event log to one event. Only what is used of a line is parsed; the rest is held to be JSON (texts closed, brackets
// matched, UTF-8), because a line that is not is a hole in the evidence. Lines of the two most frequent kinds, the starts and ends of
// tasks, are taken as they are always written (task_end_line.h), all others by a parser for all JSON.
#pragma once

#include <memory>
#include <string_view>

#include "ingest/events.h"
#include "ingest/task_end_line.h"

namespace stagegate {

enum class LineKind : std::uint8_t {
  event,      // one that is used
  ignored,    // one of Spark's that is not
  unknown,    // an event of somebody else's
  malformed,  // no event at all
};

class EventParser {
 public:
  explicit EventParser(TaskDepth depth = TaskDepth::judged);
  EventParser(const EventParser&) = delete;
  EventParser& operator=(const EventParser&) = delete;
  ~EventParser();

  // kLinePadding bytes behind LINE must be readable, the first of them a line feed (of some lines that are no JSON it decides what they are
  // taken for), the others whatever they hold. EVENT is set where the line is an event, else left undefined; the
  // texts of a TaskEnd are valid until the next call.
  LineKind parse(std::string_view line, Event& event);

  // The length of the line at the front of LINES where its end shows while it is read: then EVENT is the end of a task. Else 0, and EVENT
  // is undefined (TaskEndLine::parse_first).
  std::size_t parse_first(std::string_view lines, Event& event);

 private:
  LineKind parse_json(std::string_view line, Event& event);

  struct Json;
  TaskDepth depth_;
  TaskEndLine task_end_line_;
  std::unique_ptr<Json> json_;
};

}  // namespace stagegate
