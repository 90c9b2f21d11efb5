#include "ingest/zstd_decoder.h"

#include <utility>
#include <vector>

#include <fmt/format.h>
#include <zstd.h>

namespace stagegate {
namespace {

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

class ZstdDecoder : public Decoder {
 public:
  explicit ZstdDecoder(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), context_(ZSTD_createDCtx()), stored_(ZSTD_DStreamInSize()) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    while (out.pos == 0 && damage_.empty()) {
      if (in_.pos == in_.size) {
        STAGEGATE_TRY_ASSIGN(more, refill());
        if (!more && !flush_pending_) {
          note_end();
          break;
        }
      }
      decode(out);
    }
    return out.pos;
  }

  std::string damage() const override { return damage_; }

 private:
  Result<bool> refill() {
    STAGEGATE_TRY_ASSIGN(count, source_->read(stored_));
    in_ = {stored_.data(), count, 0};
    return count > 0;
  }

  void decode(ZSTD_outBuffer& out) {
    const auto hint = ZSTD_decompressStream(context_.get(), &out, &in_);
    if (ZSTD_isError(hint) != 0) {
      damage_ = fmt::format("its zstd data is damaged ({})", ZSTD_getErrorName(hint));
      return;
    }
    inside_frame_ = hint != 0;
    // A full buffer may mean that the decoder holds more than it could give.
    flush_pending_ = inside_frame_ && out.pos == out.size;
  }

  void note_end() {
    if (inside_frame_) {
      damage_ = "its last zstd frame is cut off";
    }
  }

  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
  std::vector<char> stored_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool inside_frame_ = false;
  bool flush_pending_ = false;
  std::string damage_;
};

}  // namespace

std::unique_ptr<Decoder> make_zstd_decoder(std::unique_ptr<ByteSource> source) {
  return std::make_unique<ZstdDecoder>(std::move(source));
}

}  // namespace stagegate
