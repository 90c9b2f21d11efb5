#include "ingest/stream_decoder.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace stagegate {
namespace {

constexpr std::size_t kStoredBytes = std::size_t{128} * 1024;

class StreamDecoder : public Decoder {
 public:
  StreamDecoder(std::unique_ptr<ByteSource> source, std::unique_ptr<Unpacker> unpacker, std::string_view name, std::string_view unit)
      : source_(std::move(source)), unpacker_(std::move(unpacker)), name_(name), unit_(unit), room_(kStoredBytes) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    while (damage_.empty() && !buffer.empty()) {
      if (stored_.empty() && !may_hold_more_) {
        STAGEGATE_TRY_ASSIGN(more, refill());
        if (!more) {
          note_end();
          break;
        }
      }
      if (const auto count = step(buffer); count > 0) {
        return count;
      }
    }
    return 0;
  }

  std::string damage() const override { return damage_; }

 private:
  Result<bool> refill() {
    STAGEGATE_TRY_ASSIGN(count, source_->read(room_));
    stored_ = {room_.data(), count};
    return count > 0;
  }

  std::size_t step(std::span<char> buffer) {
    const bool nothing_new = stored_.empty();
    auto step = unpacker_->step(stored_, buffer);
    stored_.remove_prefix(step.taken);
    may_hold_more_ = step.given == buffer.size();
    const bool moved = step.taken > 0 || step.given > 0;
    if (moved) {
      between_ = step.between;
    } else if (!nothing_new && step.flaw.empty()) {
      step.flaw = "it leads nowhere";
    }
    if (!step.flaw.empty()) {
      damage_ = fmt::format("its {} data is damaged ({})", name_, step.flaw);
    }
    return step.given;
  }

  void note_end() {
    if (!between_) {
      damage_ = fmt::format("its {} is cut off", unit_);
    }
  }

  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<Unpacker> unpacker_;
  std::string name_;
  std::string unit_;
  std::vector<char> room_;
  std::string_view stored_;  // in room_, not yet taken
  bool between_ = true;
  bool may_hold_more_ = false;
  std::string damage_;
};

}  // namespace

std::unique_ptr<Decoder> make_stream_decoder(std::unique_ptr<ByteSource> source, std::unique_ptr<Unpacker> unpacker, std::string_view name,
                                             std::string_view unit) {
  return std::make_unique<StreamDecoder>(std::move(source), std::move(unpacker), name, unit);
}

std::size_t zero_bytes(std::string_view stored) {
  return std::min(stored.find_first_not_of('\0'), stored.size());
}

}  // namespace stagegate
