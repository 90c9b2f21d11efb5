// How far the reading of a source has come: a line on stderr, redrawn, where that is a terminal and it takes over a second.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

#include "base/byte_source.h"
#include "base/thread_group.h"

namespace stagegate {

class ReadingProgress {
 public:
  // TOTAL_BYTES: of all that will be read; 0 where it is not known.
  explicit ReadingProgress(std::uint64_t total_bytes);
  ReadingProgress(const ReadingProgress&) = delete;
  ReadingProgress& operator=(const ReadingProgress&) = delete;
  // Takes the line away.
  ~ReadingProgress();

  // What is read through the result counts. It must not outlive this object.
  std::unique_ptr<ByteSource> watch(std::unique_ptr<ByteSource> source);
  std::unique_ptr<Folder> watch(std::unique_ptr<Folder> folder);

 private:
  void redraw();

  std::uint64_t total_bytes_;
  std::atomic<std::uint64_t> read_bytes_ = 0;
  std::mutex mutex_;
  std::condition_variable ended_changed_;
  bool ended_ = false;
  ThreadGroup thread_;  // one, or none
};

}  // namespace stagegate
