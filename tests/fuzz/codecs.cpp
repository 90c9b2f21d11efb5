// Each codec, on any bytes: the first byte says which. What is checked besides that they are survived: no read gives more than was asked
// for, the end stays the end, and what comes out is the same for all sizes of reads.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "fuzz/input.h"
#include "fuzz/require.h"
#include "ingest/bzip2_decoder.h"
#include "ingest/growth_guard.h"
#include "ingest/gzip_decoder.h"
#include "ingest/lz4_decoder.h"
#include "ingest/lz4_frame_decoder.h"
#include "ingest/lzf_decoder.h"
#include "ingest/snappy_decoder.h"
#include "ingest/snappy_frame_decoder.h"
#include "ingest/xz_decoder.h"
#include "ingest/zstd_decoder.h"
#include "unit/ingest/memory_source.h"

namespace stagegate {
namespace {

std::unique_ptr<Decoder> make_by_content(std::unique_ptr<ByteSource> source) {
  auto decoder = open_decoder(std::move(source), "log");
  return decoder ? std::move(*decoder) : nullptr;
}

// make_seeds has the same order.
constexpr std::array<MakeDecoder, 10> kCodecs{
    make_by_content,           make_zstd_decoder, make_lz4_decoder,  make_lz4_frame_decoder, make_snappy_decoder,
    make_snappy_frame_decoder, make_lzf_decoder,  make_gzip_decoder, make_bzip2_decoder,     make_xz_decoder};

// A block that does not match its checksum gives nothing. Of those that libraries stream, some of it may have been given by then, as much
// as there was room for.
bool gives_whole_blocks(MakeDecoder make) {
  return make == make_lz4_decoder || make == make_snappy_decoder || make == make_snappy_frame_decoder || make == make_lzf_decoder;
}

// Small ones, so that what was made to grow without end is found out at once.
constexpr GrowthLimits kLimits{.plain_bytes = std::uint64_t{1} << 22U, .factor = 100};

struct Decoded {
  std::string plain;
  std::string damage;
};

Decoded decode(MakeDecoder make, std::string_view stored, std::size_t source_step, std::size_t buffer_bytes) {
  auto source = std::make_unique<MemorySource>(std::string(stored), source_step);
  const auto decoder = make == make_by_content ? make(std::move(source)) : guard_growth(std::move(source), make, kLimits);
  if (!decoder) {
    return {};
  }
  Decoded result;
  // Of exactly this size, so that a byte too many is seen.
  const auto buffer = std::make_unique<char[]>(buffer_bytes);
  for (;;) {
    const auto count = decoder->read(std::span(buffer.get(), buffer_bytes));
    require(count.has_value(), "only a source fails");
    require(*count <= buffer_bytes, "no more is given than was asked for");
    if (*count == 0) {
      break;
    }
    result.plain.append(buffer.get(), *count);
    if (result.plain.size() > kLimits.plain_bytes + buffer_bytes) {
      return result;  // by content there are other limits
    }
  }
  result.damage = decoder->damage();
  require(decoder->read(std::span(buffer.get(), buffer_bytes)).value_or(1) == 0, "the end stays the end");
  require(decoder->damage() == result.damage, "what is wrong stays the same");
  return result;
}

void check(MakeDecoder make, std::string_view stored) {
  const auto whole = decode(make, stored, std::string::npos, std::size_t{256} * 1024);
  if (whole.plain.size() > (std::size_t{1} << 16U)) {
    return;  // the small steps would take long
  }
  for (const auto& [source_step, buffer_bytes] : {std::pair{std::size_t{1}, std::size_t{5000}}, {13, 1}, {7, 100}}) {
    const auto stepped = decode(make, stored, source_step, buffer_bytes);
    if (!whole.damage.empty() && !gives_whole_blocks(make)) {
      require(stepped.plain.starts_with(whole.plain) || whole.plain.starts_with(stepped.plain), "a beginning comes out");
    } else {
      require_same(stepped.plain, whole.plain, "the same comes out for all sizes of reads");
    }
    require(stepped.damage.empty() == whole.damage.empty(), "the same is damaged for all sizes of reads");
  }
}

}  // namespace
}  // namespace stagegate

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  stagegate::Input input(data, size);
  const auto codec = input.byte() % stagegate::kCodecs.size();
  stagegate::check(stagegate::kCodecs[codec], input.rest());
  return 0;
}
