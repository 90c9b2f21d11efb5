#include "ingest/xz_decoder.h"

#include <cstdint>
#include <utility>

#include <lzma.h>

#include "ingest/stream_decoder.h"

namespace stagegate {
namespace {

constexpr std::uint64_t kMostMemory = std::uint64_t{256} * 1024 * 1024;

std::string flaw_of(lzma_ret state) {
  switch (state) {
    case LZMA_OK:
    case LZMA_STREAM_END:
    case LZMA_BUF_ERROR:  // nothing could be done, which the caller sees
      return {};
    case LZMA_FORMAT_ERROR:
      return "no stream begins where one should";
    case LZMA_MEMLIMIT_ERROR:
      return "it needs more than 256 MiB of memory to be unpacked";
    case LZMA_MEM_ERROR:
      return "there is not enough memory to unpack it";
    case LZMA_OPTIONS_ERROR:
      return "it is packed with options that are unknown";
    default:
      return "a block cannot be unpacked or does not match its checksum";
  }
}

class XzUnpacker : public Unpacker {
 public:
  XzUnpacker() { begin(); }
  ~XzUnpacker() override { lzma_end(&stream_); }

  DecodeStep step(std::string_view stored, std::span<char> plain) override {
    if (behind_stream_) {
      const auto padding = zero_bytes(stored);
      if (padding > 0 || stored.empty()) {
        return {padding, 0, true, {}};
      }
      begin();
    }
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(stored.data());
    stream_.avail_in = stored.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(plain.data());
    stream_.avail_out = plain.size();
    const auto state = lzma_code(&stream_, LZMA_RUN);
    behind_stream_ = state == LZMA_STREAM_END;
    return {stored.size() - stream_.avail_in, plain.size() - stream_.avail_out, behind_stream_, flaw_of(state)};
  }

 private:
  // The library reuses the memory of the stream before. If this fails, lzma_code() says so.
  void begin() {
    [[maybe_unused]] const auto state = lzma_stream_decoder(&stream_, kMostMemory, 0);
    behind_stream_ = false;
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool behind_stream_ = false;
};

}  // namespace

std::unique_ptr<Decoder> make_xz_decoder(std::unique_ptr<ByteSource> source) {
  return make_stream_decoder(std::move(source), std::make_unique<XzUnpacker>(), "xz", "xz data");
}

}  // namespace stagegate
