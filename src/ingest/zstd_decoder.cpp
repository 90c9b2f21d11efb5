#include "ingest/zstd_decoder.h"

#include <algorithm>
#include <utility>

#include <zstd.h>

#include "ingest/stream_decoder.h"

namespace stagegate {
namespace {

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

class ZstdUnpacker : public Unpacker {
 public:
  DecodeStep step(std::string_view stored, std::span<char> plain) override {
    ZSTD_inBuffer in{stored.data(), std::min(stored.size(), wanted_), 0};
    ZSTD_outBuffer out{plain.data(), plain.size(), 0};
    const auto hint = ZSTD_decompressStream(context_.get(), &out, &in);
    if (ZSTD_isError(hint) != 0) {
      return {in.pos, out.pos, false, ZSTD_getErrorName(hint)};
    }
    wanted_ = hint == 0 ? kFrameHeaderBytes : hint > kBlockHeaderBytes ? hint - kBlockHeaderBytes : hint;
    return {in.pos, out.pos, hint == 0, {}};
  }

 private:
  static constexpr std::size_t kFrameHeaderBytes = 9;  // as most are
  static constexpr std::size_t kBlockHeaderBytes = 3;

  std::unique_ptr<ZSTD_DCtx, FreeContext> context_{ZSTD_createDCtx()};
  // Damage makes the library forget what it has given in the same call. So it gets a block at a time, and not the header of the next block
  // with it, for which its hint asks.
  std::size_t wanted_ = kFrameHeaderBytes;
};

}  // namespace

std::unique_ptr<Decoder> make_zstd_decoder(std::unique_ptr<ByteSource> source) {
  return make_stream_decoder(std::move(source), std::make_unique<ZstdUnpacker>(), "zstd", "last zstd frame");
}

}  // namespace stagegate
