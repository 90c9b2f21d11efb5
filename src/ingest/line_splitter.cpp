#include "ingest/line_splitter.h"

#include <cstring>
#include <utility>

namespace stagegate {

LineSplitter::LineSplitter(std::size_t chunk_bytes, std::size_t max_line_bytes)
    : chunk_bytes_(chunk_bytes),
      max_line_bytes_(max_line_bytes),
      capacity_(2 * chunk_bytes),
      buffer_(std::make_unique_for_overwrite<char[]>(capacity_ + kLinePadding)) {}

std::span<char> LineSplitter::room() {
  // Back to the front as soon as that costs little, so that few of the processor's cache lines are in use: a long line has left much room.
  if (capacity_ - end_ < chunk_bytes_ || begin_ >= chunk_bytes_) {
    const std::size_t pending = end_ - begin_;
    if (pending + chunk_bytes_ > capacity_) {
      capacity_ = pending + pending / 2 + 2 * chunk_bytes_;
      auto larger = std::make_unique_for_overwrite<char[]>(capacity_ + kLinePadding);
      std::memcpy(larger.get(), &buffer_[begin_], pending);
      buffer_ = std::move(larger);
    } else {
      std::memmove(buffer_.get(), &buffer_[begin_], pending);
    }
    scanned_ -= begin_;
    begin_ = 0;
    end_ = pending;
  }
  return {&buffer_[end_], chunk_bytes_};
}

std::string_view LineSplitter::finish() {
  const std::string_view rest(&buffer_[begin_], end_ - begin_);
  buffer_[end_] = '\n';
  begin_ = end_;
  scanned_ = end_;
  return rest;
}

// Of a line that is too long already the rest is dropped as it comes, so that it stays just over the limit: its reader sees that.
void LineSplitter::drop_overlong() {
  if (end_ - begin_ > max_line_bytes_ + 1) {
    end_ = begin_ + max_line_bytes_ + 1;
    scanned_ = end_;
  }
}

const char* LineSplitter::find_line_feed() {
  const auto* found = static_cast<const char*>(std::memchr(&buffer_[scanned_], '\n', end_ - scanned_));
  scanned_ = found == nullptr ? end_ : scanned_;
  return found;
}

}  // namespace stagegate
