// The ends of many tasks, small: each takes about a hundred bytes, with all details up to four hundred, where a TaskEnd takes five hundred.
#pragma once

#include <cstddef>

#include "ingest/block.h"
#include "ingest/events.h"

namespace stagegate {

class PackedTasks {
 public:
  // Where it lies, for unpack().
  std::size_t add(const TaskEnd& task);

  // Sets all of TASK to the one at POSITION; gives the position of the one that was added next. Its texts are valid until another is added.
  std::size_t unpack(std::size_t position, TaskEnd& task) const;

  bool empty() const { return bytes_.size() == 0; }
  // Keeps its memory.
  void clear() { bytes_.shrink(0); }
  // What it holds in memory, about.
  std::size_t bytes() const { return bytes_.capacity(); }
  // What of that its tasks take.
  std::size_t used_bytes() const { return bytes_.size(); }
  // Takes memory for BYTES of tasks more.
  void reserve(std::size_t bytes) { bytes_.room(bytes); }

 private:
  Block bytes_;
};

}  // namespace stagegate
