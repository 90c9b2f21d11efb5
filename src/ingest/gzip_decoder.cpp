#include "ingest/gzip_decoder.h"

#include <algorithm>
#include <limits>
#include <utility>

#define ZLIB_CONST
#include <zlib.h>

#include "ingest/stream_decoder.h"

namespace stagegate {
namespace {

unsigned counted(std::size_t bytes) {
  return static_cast<unsigned>(std::min<std::size_t>(bytes, std::numeric_limits<unsigned>::max()));
}

class GzipUnpacker : public Unpacker {
 public:
  GzipUnpacker() { inflateInit2(&stream_, MAX_WBITS + kGzip); }
  ~GzipUnpacker() override { inflateEnd(&stream_); }

  DecodeStep step(std::string_view stored, std::span<char> plain) override {
    if (behind_member_) {
      const auto padding = zero_bytes(stored);
      if (padding > 0 || stored.empty()) {
        return {padding, 0, true, {}};
      }
      inflateReset(&stream_);
    }
    stream_.next_in = reinterpret_cast<const Bytef*>(stored.data());
    stream_.avail_in = counted(stored.size());
    stream_.next_out = reinterpret_cast<Bytef*>(plain.data());
    stream_.avail_out = counted(plain.size());
    const auto in_before = stream_.avail_in;
    const auto out_before = stream_.avail_out;
    const auto state = inflate(&stream_, Z_NO_FLUSH);
    behind_member_ = state == Z_STREAM_END;
    return {in_before - stream_.avail_in, out_before - stream_.avail_out, behind_member_, flaw_of(state)};
  }

 private:
  static constexpr int kGzip = 16;  // zlib.h: windowBits + 16 decodes the gzip format

  std::string flaw_of(int state) const {
    if (state == Z_OK || state == Z_STREAM_END || state == Z_BUF_ERROR) {
      return {};
    }
    return stream_.msg != nullptr ? stream_.msg : zError(state);
  }

  z_stream stream_{};
  bool behind_member_ = false;
};

}  // namespace

std::unique_ptr<Decoder> make_gzip_decoder(std::unique_ptr<ByteSource> source) {
  return make_stream_decoder(std::move(source), std::make_unique<GzipUnpacker>(), "gzip", "gzip data");
}

}  // namespace stagegate
