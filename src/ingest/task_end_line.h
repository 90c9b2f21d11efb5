// The end of a task, read straight from its line in the form in which every Spark writes it: nine tenths of a log's bytes are such lines,
// and most of each is accumulables, which nobody needs.
//
// Reads the lines of successful tasks with their keys in Spark's order, without white space, escapes or blocks that were updated. Of the
// accumulables (and the executor's metrics) it only checks that quotes and brackets match and that all is printable ASCII. Of any other
// line it says "not mine", and the parser for all JSON takes it: what it reads is what that one would read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ingest/events.h"

namespace stagegate {

class TaskEndLine {
 public:
  explicit TaskEndLine(TaskDepth depth) : depth_(depth) {}

  // kLinePadding bytes behind LINE must be readable, the first of them a line feed. False: not mine, and TASK is undefined. The texts of
  // TASK point into LINE.
  bool parse(std::string_view line, TaskEnd& task);

  // The length of the line at the front of LINES, which need not end there, where it is one that is like those before it; TASK is what it
  // says. 0: somebody has to look for its end, and TASK is undefined. That saves looking at each byte twice. Behind LINES as above.
  std::size_t parse_first(std::string_view lines, TaskEnd& task);

 private:
  std::size_t& middle_bytes(std::int32_t stage) { return middle_bytes_[static_cast<std::size_t>(stage) % middle_bytes_.size()]; }

  TaskDepth depth_;
  // Where the metrics of the last line were: those of the next one are about there.
  std::size_t tail_bytes_ = 0;                 // from their key to the end
  std::array<std::size_t, 8> middle_bytes_{};  // from the accumulables to their key, by the stage's number: stages run side by side
};

}  // namespace stagegate
