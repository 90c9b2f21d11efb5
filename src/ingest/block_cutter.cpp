#include "ingest/block_cutter.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace stagegate {
namespace {

constexpr std::size_t kReadBytes = std::size_t{256} * 1024;

// What nobody writes to is not taken from the machine: a block has room for a long line from its beginning, instead of being copied to
// fresh memory for it again and again.
constexpr std::size_t kRoomForALongLine = std::size_t{2} * 1024 * 1024;

}  // namespace

Result<bool> BlockCutter::next(Block& block) {
  block.shrink(0);
  const auto pending = rest_.view();
  pending.copy(block.room(std::max(block_bytes_ + kRoomForALongLine, pending.size() + kReadBytes)), pending.size());
  block.grow(pending.size());
  rest_.shrink(0);
  for (std::size_t line = 0;;) {  // where the last line begins, which has no line feed yet
    const auto room = std::span(block.room(kReadBytes), kReadBytes);
    STAGEGATE_TRY_ASSIGN(count, decoder_.read(room));
    if (count == 0 && line == 0) {
      room.front() = '\n';
      return false;
    }
    const auto before = block.size();
    block.grow(count);
    // The library's search of a text from behind looks at one byte after the other.
    if (const auto* line_feed = static_cast<const char*>(::memrchr(room.data(), '\n', count))) {
      line = before + static_cast<std::size_t>(line_feed - room.data()) + 1;
    }
    if (line > 0 && (block.size() >= block_bytes_ || count == 0)) {
      const auto rest = block.view().substr(line);
      rest.copy(rest_.room(rest.size()), rest.size());
      rest_.grow(rest.size());
      block.shrink(line);
      return true;
    }
    if (block.size() - line > max_line_bytes_ + 1) {
      block.shrink(line + max_line_bytes_ + 1);
    }
  }
}

}  // namespace stagegate
