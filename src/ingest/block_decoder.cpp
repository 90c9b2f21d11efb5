#include "ingest/block_decoder.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace stagegate {
namespace {

// The stored bytes that were read and not yet taken, in one stretch.
//
// Room grows with what has come and never with what a header promises: a file of a few bytes cannot ask for many.
class StoredBytes {
 public:
  explicit StoredBytes(std::unique_ptr<ByteSource> source) : source_(std::move(source)), room_(kFirstRoom) {}

  std::string_view view() const { return {room_.data() + begin_, end_ - begin_}; }
  void take(std::size_t bytes) { begin_ += bytes; }

  // Reads on; false at the source's end.
  Result<bool> more() {
    if (end_ == room_.size()) {
      make_room();
    }
    STAGEGATE_TRY_ASSIGN(count, source_->read(std::span(room_).subspan(end_)));
    end_ += count;
    return count > 0;
  }

 private:
  static constexpr std::size_t kFirstRoom = std::size_t{256} * 1024;

  void make_room() {
    std::memmove(room_.data(), room_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (end_ > room_.size() / 2) {
      room_.resize(room_.size() * 2);
    }
  }

  std::unique_ptr<ByteSource> source_;
  std::vector<char> room_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

class BlockDecoder : public Decoder {
 public:
  BlockDecoder(std::unique_ptr<ByteSource> source, std::unique_ptr<BlockFormat> format)
      : stored_(std::move(source)), format_(std::move(format)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    while (held_.empty() && damage_.empty()) {
      STAGEGATE_TRY_ASSIGN(piece, next_piece());
      if (!piece) {
        return 0;
      }
      // Straight to where the caller wants it, if it fits there.
      if (piece->plain_bytes <= buffer.size()) {
        if (unpack(*piece, buffer.first(piece->plain_bytes)) && piece->plain_bytes > 0) {
          return piece->plain_bytes;
        }
      } else if (unpack(*piece, room_to_hold(piece->plain_bytes))) {
        held_ = {room_.data(), piece->plain_bytes};
      }
    }
    const auto count = held_.copy(buffer.data(), buffer.size());
    held_.remove_prefix(count);
    return count;
  }

  std::string damage() const override { return damage_; }

 private:
  // Nothing at the end, whatever its reason.
  Result<std::optional<Piece>> next_piece() {
    for (;;) {
      if (!stored_.view().empty()) {
        const auto piece = format_->look(stored_.view());
        if (!piece) {
          note_flaw(piece.error());
          return std::nullopt;
        }
        if (piece->stored_bytes <= stored_.view().size()) {
          return *piece;
        }
      }
      STAGEGATE_TRY_ASSIGN(more, stored_.more());
      if (!more) {
        damage_ = stored_.view().empty() ? format_->missing_end() : fmt::format("its last {} block is cut off", format_->name());
        return std::nullopt;
      }
    }
  }

  // A block with a flaw gives nothing: what it holds may not be what was written.
  bool unpack(const Piece& piece, std::span<char> plain) {
    const auto done = format_->unpack(stored_.view().substr(0, piece.stored_bytes), plain);
    if (!done) {
      note_flaw(done.error());
      return false;
    }
    stored_.take(piece.stored_bytes);
    return true;
  }

  void note_flaw(std::string_view what) { damage_ = fmt::format("its {} data is damaged ({})", format_->name(), what); }

  std::span<char> room_to_hold(std::size_t bytes) {
    if (room_.size() < bytes) {
      room_.resize(bytes);
    }
    return std::span(room_).first(bytes);
  }

  StoredBytes stored_;
  std::unique_ptr<BlockFormat> format_;
  std::vector<char> room_;
  std::string_view held_;  // in room_, not yet given
  std::string damage_;
};

}  // namespace

std::unique_ptr<Decoder> make_block_decoder(std::unique_ptr<ByteSource> source, std::unique_ptr<BlockFormat> format) {
  return std::make_unique<BlockDecoder>(std::move(source), std::move(format));
}

}  // namespace stagegate
