// Bytes as the scanners of this folder see them; no locale.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace stagegate {

constexpr bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

constexpr bool is_letter(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

constexpr bool is_hex_digit(char byte) {
  return is_digit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

constexpr bool is_word(char byte) {
  return is_digit(byte) || is_letter(byte) || byte == '_';
}

// How many bytes at the front of TEXT satisfy IS.
template <typename Predicate>
std::size_t run_length(std::string_view text, Predicate is) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is) - text.begin());
}

}  // namespace stagegate
