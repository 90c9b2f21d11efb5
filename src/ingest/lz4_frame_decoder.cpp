#include "ingest/lz4_frame_decoder.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include <lz4frame.h>
#include <xxhash.h>

#include "ingest/stored_numbers.h"
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

struct FreeDigest {
  void operator()(XXH32_state_t* digest) const { XXH32_freeState(digest); }
};

// The checksum of a frame's content, which stands at its end. The library's own takes four times as long as all the rest of decoding.
class ContentChecksum {
 public:
  void begin() { XXH32_reset(digest_.get(), 0); }
  void add_plain(std::span<const char> plain) { XXH32_update(digest_.get(), plain.data(), plain.size()); }

  void add_stored(std::string_view stored) {
    last_stored_ += stored.substr(stored.size() - std::min(stored.size(), sizeof(XXH32_hash_t)));
    last_stored_.erase(0, last_stored_.size() - std::min(last_stored_.size(), sizeof(XXH32_hash_t)));
  }

  // Of a frame that has ended.
  bool matches() const { return little_endian_32(last_stored_, 0) == XXH32_digest(digest_.get()); }

 private:
  std::unique_ptr<XXH32_state_t, FreeDigest> digest_{XXH32_createState()};
  std::string last_stored_;  // the last four bytes
};

class Lz4FrameUnpacker : public Unpacker {
 public:
  DecodeStep step(std::string_view stored, std::span<char> plain) override {
    auto taken = std::min(stored.size(), wanted_);
    auto given = plain.size();
    const LZ4F_decompressOptions_t options{.stableDst = 0, .skipChecksums = checks_content_ ? 1U : 0U, .reserved1 = 0, .reserved0 = 0};
    const auto hint = LZ4F_decompress(context_.get(), plain.data(), &given, stored.data(), &taken, &options);
    if (LZ4F_isError(hint) != 0) {
      return {0, 0, false, LZ4F_getErrorName(hint)};
    }
    if (!in_frame_) {
      begin_frame();
    }
    if (checks_content_) {
      checksum_.add_plain(plain.first(given));
      checksum_.add_stored(stored.substr(0, taken));
    }
    const bool ends = hint == 0;
    if (ends && checks_content_ && !checksum_.matches()) {
      return {taken, given, false, "ERROR_contentChecksum_invalid"};
    }
    in_frame_ = in_frame_ && !ends;
    checks_content_ = checks_content_ && !ends;
    wanted_ = ends ? kFrameHeaderBytes : hint > kBlockHeaderBytes ? hint - kBlockHeaderBytes : hint;
    return {taken, given, ends, {}};
  }

 private:
  static constexpr std::size_t kFrameHeaderBytes = LZ4F_HEADER_SIZE_MIN;
  static constexpr std::size_t kBlockHeaderBytes = LZ4F_BLOCK_HEADER_SIZE;

  // As soon as the frame's header is known. Blocks that have checksums of their own are the library's to check, and the content with them.
  void begin_frame() {
    LZ4F_frameInfo_t info = LZ4F_INIT_FRAMEINFO;
    std::size_t none = 0;
    in_frame_ = LZ4F_isError(LZ4F_getFrameInfo(context_.get(), &info, nullptr, &none)) == 0;
    checks_content_ = in_frame_ && info.frameType == LZ4F_frame && info.contentChecksumFlag == LZ4F_contentChecksumEnabled &&
                      info.blockChecksumFlag == LZ4F_noBlockChecksum;
    if (checks_content_) {
      checksum_.begin();
    }
  }

  std::unique_ptr<LZ4F_dctx, FreeContext> context_ = new_context();
  // Damage makes the library forget what it has given in the same call. So it gets a block at a time, and not the header of the next block
  // with it, for which its hint asks.
  std::size_t wanted_ = kFrameHeaderBytes;
  bool in_frame_ = false;
  bool checks_content_ = false;
  ContentChecksum checksum_;
};

}  // namespace

std::unique_ptr<Decoder> make_lz4_frame_decoder(std::unique_ptr<ByteSource> source) {
  return make_stream_decoder(std::move(source), std::make_unique<Lz4FrameUnpacker>(), "lz4", "last lz4 frame");
}

}  // namespace stagegate
