#include "ingest/decoder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "ingest/byte_form.h"
#include "ingest/zstd_decoder.h"

namespace stagegate {
namespace {

// Gives back the bytes that were taken from a source to look at, then the source's own.
class Rewound : public ByteSource {
 public:
  Rewound(std::string begin, std::unique_ptr<ByteSource> source) : begin_(std::move(begin)), source_(std::move(source)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    if (given_ == begin_.size()) {
      return source_->read(buffer);
    }
    const auto count = std::min(buffer.size(), begin_.size() - given_);
    std::memcpy(buffer.data(), begin_.data() + given_, count);
    given_ += count;
    return count;
  }

 private:
  std::string begin_;
  std::size_t given_ = 0;
  std::unique_ptr<ByteSource> source_;
};

class PlainDecoder : public Decoder {
 public:
  explicit PlainDecoder(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}
  Result<std::size_t> read(std::span<char> buffer) override { return source_->read(buffer); }
  std::string damage() const override { return {}; }

 private:
  std::unique_ptr<ByteSource> source_;
};

Result<std::string> first_bytes(ByteSource& source) {
  std::array<char, kFormBytes> begin;
  std::size_t filled = 0;
  while (filled < begin.size()) {
    STAGEGATE_TRY_ASSIGN(count, source.read(std::span(begin).subspan(filled)));
    if (count == 0) {
      break;
    }
    filled += count;
  }
  return std::string(begin.data(), filled);
}

}  // namespace

Result<std::unique_ptr<Decoder>> open_decoder(std::unique_ptr<ByteSource> source, std::string_view name) {
  STAGEGATE_TRY_ASSIGN(begin, first_bytes(*source));
  const auto form = form_of(begin);
  auto whole = std::make_unique<Rewound>(std::move(begin), std::move(source));
  if (form == ByteForm::plain) {
    return std::make_unique<PlainDecoder>(std::move(whole));
  }
  if (form == ByteForm::zstd) {
    return make_zstd_decoder(std::move(whole));
  }
  return fail(
      ErrorKind::evidence,
      fmt::format("'{}' is compressed with {}, which cannot be read; let Spark write event logs with spark.eventLog.compress=false or "
                  "spark.eventLog.compression.codec=zstd",
                  name, name_of(form)));
}

}  // namespace stagegate
