#include "ingest/plain_json.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace stagegate {
namespace {

// As many bytes as the widest instructions that most processors have take at once; the compiler makes of it what the target has.
constexpr std::size_t kWidth = 32;
using Bytes [[gnu::vector_size(kWidth)]] = signed char;
using UnsignedBytes [[gnu::vector_size(kWidth)]] = unsigned char;
using Words [[gnu::vector_size(kWidth)]] = std::uint64_t;

// A lane counts up to 127 before it must be emptied.
constexpr std::size_t kMostSteps = 127;

// The sum of all lanes. Each is made positive first, so that pairs of them can be added as numbers of 16 bits.
[[gnu::always_inline]] inline int sum_of(const Bytes& lanes) {
  constexpr std::uint64_t kEvenBytes = 0x00FF00FF00FF00FF;
  constexpr std::uint64_t kAddAll = 0x0001000100010001;
  const auto words = reinterpret_cast<Words>(lanes ^ static_cast<signed char>(-128));
  const auto pairs = (words & kEvenBytes) + ((words >> 8U) & kEvenBytes);
  const auto four_sums = pairs[0] + pairs[1] + pairs[2] + pairs[3];
  return static_cast<int>((four_sums * kAddAll) >> 48U) - 128 * static_cast<int>(kWidth);
}

struct Check {
  Bytes open{};        // marks that open less those that close
  Bytes odd_quotes{};  // -1 in the lanes that have seen an odd number of quotes
  Bytes strange{};     // not 0 in those that have seen what is not plain

  // A comparison is -1 in the lanes where it holds.
  [[gnu::always_inline]] void add(const Bytes& bytes) {
    // A brace is a bracket with one bit more.
    const auto marks = bytes & static_cast<signed char>(~('{' ^ '['));
    open += (marks == ']') - (marks == '[');
    odd_quotes ^= bytes == '"';
    // What is no ASCII is negative here, and so is 0x7F after one more.
    const auto next = reinterpret_cast<Bytes>(reinterpret_cast<UnsignedBytes>(bytes) + 1);
    strange |= (bytes == '\\') | (next <= ' ');
  }

  [[gnu::always_inline]] bool is_plain() const {
    const auto quotes = reinterpret_cast<Words>(odd_quotes);
    const auto others = reinterpret_cast<Words>(strange);
    const auto odd_lanes = std::popcount(quotes[0] ^ quotes[1] ^ quotes[2] ^ quotes[3]) / 8;
    return (others[0] | others[1] | others[2] | others[3]) == 0 && odd_lanes % 2 == 0;
  }
};

}  // namespace

// The widest instructions that the processor has. Sanitizers are not up when the choice is made, and other compilers choose otherwise.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
__attribute__((target_clones("avx2", "default")))
#endif
bool plain_check_with_vectors(std::string_view text, int open) {
  Check check;
  int found = 0;
  while (!text.empty()) {
    check.open = Bytes{};
    const auto steps = std::min(text.size() / kWidth, kMostSteps);
    for (std::size_t i = 0; i < steps; ++i) {
      Bytes bytes;
      std::memcpy(&bytes, text.data() + i * kWidth, kWidth);
      check.add(bytes);
    }
    text.remove_prefix(steps * kWidth);
    if (steps < kMostSteps) {
      auto bytes = Bytes{} + ' ';
      std::memcpy(&bytes, text.data(), text.size());
      check.add(bytes);
      text = {};
    }
    found += sum_of(check.open);
  }
  return check.is_plain() && found == open;
}

bool is_plain_json(std::string_view text, int open) {
  static PlainCheck* const fastest = [] {
    auto* const wide = plain_check_with_avx512();
    return wide != nullptr ? wide : plain_check_with_vectors;
  }();
  return fastest(text, open);
}

}  // namespace stagegate
