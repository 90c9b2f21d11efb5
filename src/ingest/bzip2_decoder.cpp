#include "ingest/bzip2_decoder.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <bzlib.h>

#include "ingest/stream_decoder.h"

namespace stagegate {
namespace {

unsigned counted(std::size_t bytes) {
  return static_cast<unsigned>(std::min<std::size_t>(bytes, std::numeric_limits<unsigned>::max()));
}

std::string flaw_of(int state) {
  switch (state) {
    case BZ_OK:
    case BZ_STREAM_END:
      return {};
    case BZ_DATA_ERROR_MAGIC:
      return "no stream begins where one should";
    case BZ_MEM_ERROR:
      return "there is not enough memory to unpack it";
    default:
      return "a block cannot be unpacked or does not match its checksum";
  }
}

class Bzip2Unpacker : public Unpacker {
 public:
  Bzip2Unpacker() { begin(); }
  ~Bzip2Unpacker() override { BZ2_bzDecompressEnd(&stream_); }

  DecodeStep step(std::string_view stored, std::span<char> plain) override {
    if (behind_stream_) {
      const auto padding = zero_bytes(stored);
      if (padding > 0 || stored.empty()) {
        return {padding, 0, true, {}};
      }
      BZ2_bzDecompressEnd(&stream_);
      begin();
    }
    stream_.next_in = const_cast<char*>(stored.data());  // the library only reads it
    stream_.avail_in = counted(stored.size());
    stream_.next_out = plain.data();
    stream_.avail_out = counted(plain.size());
    const auto in_before = stream_.avail_in;
    const auto out_before = stream_.avail_out;
    const auto state = BZ2_bzDecompress(&stream_);
    behind_stream_ = state == BZ_STREAM_END;
    return {in_before - stream_.avail_in, out_before - stream_.avail_out, behind_stream_, flaw_of(state)};
  }

 private:
  void begin() {
    stream_ = {};
    BZ2_bzDecompressInit(&stream_, 0, 0);
    behind_stream_ = false;
  }

  bz_stream stream_{};
  bool behind_stream_ = false;
};

}  // namespace

std::unique_ptr<Decoder> make_bzip2_decoder(std::unique_ptr<ByteSource> source) {
  return make_stream_decoder(std::move(source), std::make_unique<Bzip2Unpacker>(), "bzip2", "bzip2 data");
}

}  // namespace stagegate
