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

// A line whose end its reader has found by itself.
struct TakenLine {
  std::size_t size = 0;  // without the line feed; 0: it has not
  bool go_on = true;     // with the lines behind it
};

class LineSplitter {
 public:
  explicit LineSplitter(std::size_t chunk_bytes, std::size_t max_line_bytes = kMaxLineBytes);

  // Begins another stream in the same memory.
  void restart() { begin_ = scanned_ = end_ = 0; }

  // Where the next bytes go: always chunk_bytes of room.
  std::span<char> room();

  // Says that so many bytes of room() were filled, and calls ON_LINE(std::string_view) for each line that is now complete, without its line
  // feed, until it returns false. The view is valid during the call only. Gives what ON_LINE said last.
  //
  // Before that TAKE_FIRST(std::string_view) -> TakenLine gets what is there from the line on, complete or not, with a line feed behind it
  // that may not be the line's. It may find the end by itself and take the line.
  template <typename TakeFirst, typename OnLine>
  bool filled(std::size_t count, TakeFirst&& take_first, OnLine&& on_line) {
    end_ += count;
    buffer_[end_] = '\n';
    for (;;) {
      const std::string_view bytes(&buffer_[begin_], end_ - begin_);
      if (const TakenLine taken = take_first(bytes); taken.size > 0) {
        begin_ += taken.size + 1;
        scanned_ = begin_;
        if (!taken.go_on) {
          return false;
        }
        continue;
      }
      const char* line_feed = find_line_feed();
      if (line_feed == nullptr) {
        break;
      }
      const auto line = bytes.substr(0, static_cast<std::size_t>(line_feed - bytes.data()));
      begin_ += line.size() + 1;
      scanned_ = begin_;
      if (!on_line(line)) {
        return false;
      }
    }
    drop_overlong();
    return true;
  }

  template <typename OnLine>
  bool filled(std::size_t count, OnLine&& on_line) {
    return filled(
        count, [](std::string_view) { return TakenLine(); }, on_line);
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
