#include "ingest/lz4_frame_decoder.h"

#include <algorithm>
#include <utility>

#include <lz4frame.h>

#include "ingest/stream_decoder.h"

namespace stagegate {
namespace {

struct FreeContext {
  void operator()(LZ4F_dctx* context) const { LZ4F_freeDecompressionContext(context); }
};

std::unique_ptr<LZ4F_dctx, FreeContext> new_context() {
  LZ4F_dctx* context = nullptr;
  LZ4F_createDecompressionContext(&context, LZ4F_VERSION);  // fails for lack of memory only
  return std::unique_ptr<LZ4F_dctx, FreeContext>(context);
}

class Lz4FrameUnpacker : public Unpacker {
 public:
  DecodeStep step(std::string_view stored, std::span<char> plain) override {
    auto taken = std::min(stored.size(), wanted_);
    auto given = plain.size();
    const auto hint = LZ4F_decompress(context_.get(), plain.data(), &given, stored.data(), &taken, nullptr);
    if (LZ4F_isError(hint) != 0) {
      return {0, 0, false, LZ4F_getErrorName(hint)};
    }
    wanted_ = hint == 0 ? kFrameHeaderBytes : hint > kBlockHeaderBytes ? hint - kBlockHeaderBytes : hint;
    return {taken, given, hint == 0, {}};
  }

 private:
  static constexpr std::size_t kFrameHeaderBytes = LZ4F_HEADER_SIZE_MIN;
  static constexpr std::size_t kBlockHeaderBytes = LZ4F_BLOCK_HEADER_SIZE;

  std::unique_ptr<LZ4F_dctx, FreeContext> context_ = new_context();
  // Damage makes the library forget what it has given in the same call. So it gets a block at a time, and not the header of the next block
  // with it, for which its hint asks.
  std::size_t wanted_ = kFrameHeaderBytes;
};

}  // namespace

std::unique_ptr<Decoder> make_lz4_frame_decoder(std::unique_ptr<ByteSource> source) {
  return make_stream_decoder(std::move(source), std::make_unique<Lz4FrameUnpacker>(), "lz4", "last lz4 frame");
}

}  // namespace stagegate
