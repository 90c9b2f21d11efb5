#include "ingest/decoder.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "ingest/byte_form.h"
#include "ingest/bzip2_decoder.h"
#include "ingest/growth_guard.h"
#include "ingest/gzip_decoder.h"
#include "ingest/lz4_decoder.h"
#include "ingest/lz4_frame_decoder.h"
#include "ingest/lzf_decoder.h"
#include "ingest/peeked_decoder.h"
#include "ingest/peeked_source.h"
#include "ingest/snappy_decoder.h"
#include "ingest/snappy_frame_decoder.h"
#include "ingest/xz_decoder.h"
#include "ingest/zstd_decoder.h"

namespace stagegate {
namespace {

struct Codec {
  ByteForm form;
  MakeDecoder make;
};

constexpr std::array kCodecs{
    Codec{ByteForm::zstd, make_zstd_decoder},
    Codec{ByteForm::lz4, make_lz4_decoder},
    Codec{ByteForm::lz4_frame, make_lz4_frame_decoder},
    Codec{ByteForm::snappy, make_snappy_decoder},
    Codec{ByteForm::snappy_frame, make_snappy_frame_decoder},
    Codec{ByteForm::lzf, make_lzf_decoder},
    Codec{ByteForm::gzip, make_gzip_decoder},
    Codec{ByteForm::bzip2, make_bzip2_decoder},
    Codec{ByteForm::xz, make_xz_decoder},
};

class PlainDecoder : public Decoder {
 public:
  explicit PlainDecoder(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}
  Result<std::size_t> read(std::span<char> buffer) override { return source_->read(buffer); }
  std::string damage() const override { return {}; }
  bool is_plain() const override { return true; }

 private:
  std::unique_ptr<ByteSource> source_;
};

// Looks behind the frames that can be skipped, as far as it is reasonable to.
Result<ByteForm> form_of_source(PeekedSource& source) {
  constexpr std::size_t kMostBytes = std::size_t{64} * 1024;
  STAGEGATE_TRY_ASSIGN(begin, source.peek(kFormBytes));
  const auto form = form_of(begin);
  std::size_t skipped = 0;
  while (const auto bytes = skippable_frame_bytes(begin)) {
    skipped += bytes;
    if (skipped > kMostBytes) {
      return form;
    }
    STAGEGATE_TRY_ASSIGN(further, source.peek(skipped + kFormBytes));
    begin = further.substr(std::min(skipped, further.size()));
  }
  return form_of(begin) == ByteForm::lz4_frame ? ByteForm::lz4_frame : form;
}

}  // namespace

namespace {

// What was packed twice.
class TwiceDecoder : public Decoder {
 public:
  TwiceDecoder(const Decoder& inner, std::unique_ptr<Decoder> outer) : inner_(inner), outer_(std::move(outer)) {}

  Result<std::size_t> read(std::span<char> buffer) override { return outer_->read(buffer); }
  // The inner one's explains the outer one's.
  std::string damage() const override { return inner_.damage().empty() ? outer_->damage() : inner_.damage(); }

 private:
  const Decoder& inner_;  // belongs to outer_
  std::unique_ptr<Decoder> outer_;
};

const Codec* codec_of(ByteForm form) {
  const auto* found = std::find_if(kCodecs.begin(), kCodecs.end(), [&](const Codec& codec) { return codec.form == form; });
  return found == kCodecs.end() ? nullptr : found;
}

}  // namespace

Result<std::unique_ptr<Decoder>> open_decoder(std::unique_ptr<ByteSource> source, std::string_view name) {
  auto peeked = std::make_unique<PeekedSource>(std::move(source));
  STAGEGATE_TRY_ASSIGN(form, form_of_source(*peeked));
  if (form == ByteForm::plain) {
    return std::make_unique<PlainDecoder>(std::move(peeked));
  }
  const auto* codec = codec_of(form);
  if (codec == nullptr) {
    return fail(ErrorKind::evidence,
                fmt::format("'{}' is a {} file where an event log is expected; unpack it, and name the log in it", name, name_of(form)));
  }
  auto decoder = std::make_unique<PeekedDecoder>(guard_growth(std::move(peeked), codec->make));
  STAGEGATE_TRY_ASSIGN(begin, decoder->peek(kFormBytes));
  if (const auto* second = codec_of(form_of(begin))) {
    const auto& inner = *decoder;
    return std::make_unique<TwiceDecoder>(inner, guard_growth(std::move(decoder), second->make));
  }
  return decoder;
}

}  // namespace stagegate
