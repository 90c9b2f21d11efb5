#include "ingest/plain_json.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>

#include <immintrin.h>

#define STAGEGATE_AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi")))

namespace stagegate {
namespace {

constexpr std::size_t kWidth = 64;

// A lane counts up to 127 before it must be emptied.
constexpr std::size_t kMostSteps = 127;

constexpr std::size_t kFirstPrintable = ' ';
constexpr std::uint8_t kQuote = 1;
constexpr std::uint8_t kStrange = 0x80;  // as bytes that are no ASCII have it

// Of each ASCII character: looked up by one instruction for sixty-four of them.
struct Tables {
  std::array<std::uint8_t, 128> opens{};  // 1 where it opens, -1 where it closes
  std::array<std::uint8_t, 128> marks{};
};

constexpr Tables make_tables() {
  Tables tables;
  tables.opens['{'] = tables.opens['['] = 1;
  tables.opens['}'] = tables.opens[']'] = 0xFF;
  std::fill(tables.marks.begin(), tables.marks.begin() + kFirstPrintable, kStrange);
  tables.marks['\\'] = tables.marks[0x7F] = kStrange;
  tables.marks['"'] = kQuote;
  return tables;
}

constexpr Tables kTables = make_tables();

STAGEGATE_AVX512 __m512i load(const std::uint8_t* bytes) {
  return _mm512_loadu_si512(bytes);
}

// The sum of all lanes, which are signed.
STAGEGATE_AVX512 int sum_of(__m512i lanes) {
  const auto positive = _mm512_xor_si512(lanes, _mm512_set1_epi8(static_cast<char>(0x80)));
  std::array<std::int64_t, kWidth / sizeof(std::int64_t)> sums{};
  _mm512_storeu_si512(sums.data(), _mm512_sad_epu8(positive, _mm512_setzero_si512()));
  return static_cast<int>(std::accumulate(sums.begin(), sums.end(), -128 * static_cast<std::int64_t>(kWidth)));
}

// What has been seen so far.
struct Seen {
  __m512i opens;  // marks that open less those that close, a lane each
  __m512i quotes;
  __m512i strange;
};

STAGEGATE_AVX512 bool is_plain_with_avx512(std::string_view text, int open) {
  const auto opens_low = load(kTables.opens.data());
  const auto opens_high = load(kTables.opens.data() + kWidth);
  const auto marks_low = load(kTables.marks.data());
  const auto marks_high = load(kTables.marks.data() + kWidth);
  Seen seen{_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()};
  const auto see = [&](__m512i bytes) STAGEGATE_AVX512 {
    const auto marks = _mm512_permutex2var_epi8(marks_low, bytes, marks_high);
    seen.opens = _mm512_add_epi8(seen.opens, _mm512_permutex2var_epi8(opens_low, bytes, opens_high));
    seen.quotes = _mm512_xor_si512(seen.quotes, marks);
    seen.strange = _mm512_or_si512(seen.strange, _mm512_or_si512(marks, bytes));
  };
  int found = 0;
  while (!text.empty()) {
    seen.opens = _mm512_setzero_si512();
    const auto steps = std::min(text.size() / kWidth, kMostSteps);
    for (std::size_t i = 0; i < steps; ++i) {
      see(_mm512_loadu_si512(text.data() + i * kWidth));
    }
    text.remove_prefix(steps * kWidth);
    if (steps < kMostSteps) {
      const auto there = (__mmask64{1} << text.size()) - 1;
      see(_mm512_mask_loadu_epi8(_mm512_set1_epi8(' '), there, text.data()));
      text = {};
    }
    found += sum_of(seen.opens);
  }
  const auto odd = _mm512_test_epi8_mask(seen.quotes, _mm512_set1_epi8(kQuote));
  return _mm512_movepi8_mask(seen.strange) == 0 && std::popcount(odd) % 2 == 0 && found == open;
}

}  // namespace

PlainCheck* plain_check_with_avx512() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vbmi") != 0 ? is_plain_with_avx512 : nullptr;
}

}  // namespace stagegate

#else

namespace stagegate {

PlainCheck* plain_check_with_avx512() {
  return nullptr;
}

}  // namespace stagegate

#endif
