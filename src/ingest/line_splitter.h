// Cuts a stream of arbitrary chunks into lines, whatever the chunk borders, in the buffer that it was read into: lines are not copied.
//
// A log that is still being written ends in half a line, so the last line is handed over by finish(), which tells whether a line feed
// ended it. A line that is longer than a limit is not kept: only its beginning is handed over.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace stagegate {

// So many bytes may be read behind every line that is handed over, a line feed and then whatever they are: SIMD readers run over the end.
inline constexpr std::size_t kLinePadding = 64;

// Spark's longest lines are plans: some reach a few MB. What is beyond this is no event of a job that ran.
inline constexpr std::size_t kMaxLineBytes = std::size_t{128} * 1024 * 1024;

class LineSplitter {
 public:
  explicit LineSplitter(std::size_t chunk_bytes, std::size_t max_line_bytes = kMaxLineBytes);

  // Begins another stream in the same memory.
  void restart() { begin_ = scanned_ = end_ = 0; }

  // Where the next bytes go: always chunk_bytes of room.
  std::span<char> room();

  // Says that so many bytes of room() were filled, and calls ON_LINE(std::string_view) for each line that is now complete, without its line
  // feed, until it returns false. The view is valid during the call only. Gives what ON_LINE said last.
  template <typename OnLine>
  bool filled(std::size_t count, OnLine&& on_line) {
    end_ += count;
    while (const char* line_feed = find_line_feed()) {
      const std::string_view line(&buffer_[begin_], static_cast<std::size_t>(line_feed - &buffer_[begin_]));
      begin_ += line.size() + 1;
      scanned_ = begin_;
      if (!on_line(line)) {
        return false;
      }
    }
    drop_overlong();
    return true;
  }

  // The bytes behind the last line feed: empty where the stream ended with one. Valid until the next call of a member.
  std::string_view finish();

 private:
  const char* find_line_feed();
  void drop_overlong();

  std::size_t chunk_bytes_;
  std::size_t max_line_bytes_;
  std::size_t capacity_;
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0;    // of the line that is not complete yet
  std::size_t scanned_ = 0;  // no line feed between begin_ and here
  std::size_t end_ = 0;
};

}  // namespace stagegate
