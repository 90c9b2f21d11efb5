#include "base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

#include <fmt/format.h>

namespace stagegate {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t length = 0;  // 0: not UTF-8
};

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// The shortest code point that may be written with so many bytes; anything below is an overlong form.
constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};

CodePoint decode_utf8(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) {
    return {first, 1};
  }
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) {
    return {};
  }
  std::uint32_t value = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) {
      return {};
    }
    value = value << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[length] || value > 0x10FFFF || surrogate) {
    return {};
  }
  return {value, length};
}

bool is_harmless(std::uint32_t value) {
  const bool control = value < 0x20 || (value >= 0x7F && value <= 0x9F);
  return value == '\t' || value == '\n' || (!control && value != 0xFFFE && value != 0xFFFF);
}

// The length of the terminal escape sequence that begins at TEXT's first byte, which is ESC: CSI (colours, cursor), OSC (titles, links) or
// a short one.
std::size_t escape_sequence_length(std::string_view text) {
  if (text.size() < 2) {
    return 0;
  }
  if (text[1] == '[') {
    std::size_t i = 2;
    while (i < text.size() && text[i] >= 0x20 && text[i] <= 0x3F) {
      ++i;
    }
    return i < text.size() && text[i] >= 0x40 && text[i] <= 0x7E ? i + 1 : 0;
  }
  if (text[1] == ']') {
    for (std::size_t i = 2; i < text.size() && text[i] != '\n'; ++i) {
      if (text[i] == '\a') {
        return i + 1;
      }
      if (text[i] == '\x1B' && i + 1 < text.size() && text[i + 1] == '\\') {
        return i + 2;
      }
    }
    return 0;
  }
  return text[1] >= 0x40 && text[1] <= 0x5F ? 2 : 0;
}

// Edit distance in which a swap of neighbours is one step (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\f\v";
  const auto begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const auto end = text.find(separator, begin);
    parts.emplace_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) {
      return parts;
    }
    begin = end + 1;
  }
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts.begin(), parts.end(), separator));
}

std::string to_lower_ascii(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

bool contains_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [text](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [text](std::string_view word) { return text.starts_with(word); });
}

bool matches_glob(std::string_view pattern, std::string_view text) {
  // On a mismatch only the last star needs to be tried again with one character more, so this never explodes.
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool matches_any_glob(std::span<const std::string> patterns, std::string_view text) {
  return patterns.empty() ||
         std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) { return matches_glob(pattern, text); });
}

std::optional<std::string> nearest_name(std::string_view word, std::span<const std::string> candidates) {
  const std::size_t allowed = std::max<std::size_t>(1, word.size() / 3);
  std::optional<std::string> nearest;
  std::size_t best = allowed + 1;
  for (const auto& candidate : candidates) {
    const auto distance = edit_distance(to_lower_ascii(word), to_lower_ascii(candidate));
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const auto nearest = nearest_name(word, candidates);
  return nearest ? fmt::format("; did you mean '{}'?", *nearest) : std::string();
}

std::string clean_text(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const char c = text.front();
    if (c == '\x1B') {
      if (const auto length = escape_sequence_length(text); length > 0) {
        text.remove_prefix(length);
        continue;
      }
    }
    if (c == '\r') {
      text.remove_prefix(1);
      if (text.empty() || text.front() != '\n') {
        clean += '\n';
      }
      continue;
    }
    const auto point = decode_utf8(text);
    if (point.length == 0) {
      clean += kReplacement;
      text.remove_prefix(1);
      continue;
    }
    if (is_harmless(point.value)) {
      clean += text.substr(0, point.length);
    } else {
      clean += fmt::format("#x{:X}", point.value);
    }
    text.remove_prefix(point.length);
  }
  return clean;
}

std::string_view first_bytes(std::string_view text, std::size_t max_bytes) {
  auto end = std::min(max_bytes, text.size());
  while (end > 0 && end < text.size() && is_continuation(text[end])) {
    --end;
  }
  return text.substr(0, end);
}

std::string shorten_middle(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) {
    return std::string(text);
  }
  constexpr std::size_t kNoteBytes = 48;
  const std::size_t kept = max_bytes > kNoteBytes ? max_bytes - kNoteBytes : 0;
  const auto head = first_bytes(text, kept / 2);
  std::size_t tail = text.size() - (kept - kept / 2);
  while (tail < text.size() && is_continuation(text[tail])) {
    ++tail;
  }
  return fmt::format("{}\n... {} bytes cut ...\n{}", head, tail - head.size(), text.substr(tail));
}

}  // namespace stagegate
