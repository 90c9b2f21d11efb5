#include "ingest/bzip2_decoder.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>
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
    if (waiting_.empty() && behind_stream_) {
      const auto padding = zero_bytes(stored);
      if (padding > 0 || stored.empty()) {
        return {padding, 0, true, {}};
      }
      BZ2_bzDecompressEnd(&stream_);
      begin();
    }
    std::size_t taken = 0;
    std::size_t given = 0;
    for (;;) {
      const auto count = waiting_.copy(plain.data() + given, plain.size() - given);
      waiting_.remove_prefix(count);
      given += count;
      if (given == plain.size() || behind_stream_ || !flaw_.empty()) {
        break;
      }
      const auto used = unpack(stored.substr(taken));
      taken += used;
      if (used == 0 && waiting_.empty()) {
        break;
      }
    }
    const bool all_given = waiting_.empty();
    return {taken, given, all_given && behind_stream_, all_given ? flaw_ : std::string()};
  }

 private:
  std::size_t unpack(std::string_view stored) {
    stream_.next_in = const_cast<char*>(stored.data());  // the library only reads it
    stream_.avail_in = counted(stored.size());
    stream_.next_out = room_.data();
    stream_.avail_out = counted(room_.size());
    const auto in_before = stream_.avail_in;
    const auto state = BZ2_bzDecompress(&stream_);
    behind_stream_ = state == BZ_STREAM_END;
    flaw_ = flaw_of(state);
    waiting_ = {room_.data(), room_.size() - stream_.avail_out};
    return in_before - stream_.avail_in;
  }

  void begin() {
    stream_ = {};
    BZ2_bzDecompressInit(&stream_, 0, 0);
    behind_stream_ = false;
  }

  bz_stream stream_{};
  bool behind_stream_ = false;
  std::string flaw_;
  // Where a block is damaged in its middle, the library forgets what it has given in the same call. So each call gives as much as any
  // other, whatever the reader has room for, and the same comes out.
  std::array<char, 4096> room_{};
  std::string_view waiting_;  // in room_, not given yet
};

}  // namespace

std::unique_ptr<Decoder> make_bzip2_decoder(std::unique_ptr<ByteSource> source) {
  return make_stream_decoder(std::move(source), std::make_unique<Bzip2Unpacker>(), "bzip2", "bzip2 data");
}

}  // namespace stagegate
