// The end of a task, read straight from its line in the form in which every Spark writes it: nine tenths of a log's bytes are such lines,
// and most of each is accumulables, which nobody needs.
//
// Reads the lines of successful tasks with their keys in Spark's order, without white space, escapes or blocks that were updated. Of the
// accumulables (and the executor's metrics) it only checks that quotes and brackets match and that all is printable ASCII. Of any other
// line it says "not mine", and the parser for all JSON takes it: what it reads is what that one would read.
#pragma once

#include <cstddef>
#include <string_view>

#include "ingest/events.h"

namespace stagegate {

class TaskEndLine {
 public:
  explicit TaskEndLine(TaskDepth depth) : depth_(depth) {}

  // kLinePadding bytes behind LINE must be readable, the first of them a line feed. False: not mine, and TASK is undefined. The texts of
  // TASK point into LINE.
  bool parse(std::string_view line, TaskEnd& task);

 private:
  TaskDepth depth_;
  std::size_t tail_bytes_ = 0;  // of the last line's metrics: those of the next one begin about there
};

}  // namespace stagegate
