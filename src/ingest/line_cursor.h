// Walks through a line of JSON that is written as Spark writes it: keys in a known order, no white space. Private to ingest/, for the
// reader of task ends, which spends its time here: words of eight bytes are compared and read at once, and nothing depends on how many
// digits a number has, as a branch that a processor guesses wrongly costs as much as reading the number.
//
// It may look behind the line's end, at kLinePadding bytes of which the first is a line feed. No key and no number has one, so that
// nothing that is taken goes beyond the end.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "base/few_bytes.h"
#include "ingest/line_splitter.h"

namespace stagegate {

// A key as it stands in a line, `"name":`.
class KeyText {
 public:
  template <std::size_t kSize>
  constexpr KeyText(const char (&name)[kSize]) : size_(kSize + 2) {  // NOLINT(google-explicit-constructor): tables read better
    static_assert(kSize + 2 <= kMostBytes);
    text_[0] = '"';
    std::copy(&name[0], &name[kSize - 1], &text_[1]);
    text_[kSize] = '"';
    text_[kSize + 1] = ':';
    std::fill(mask_.begin(), mask_.begin() + static_cast<std::ptrdiff_t>(size_), static_cast<char>(0xFF));
  }

  constexpr std::string_view name() const { return {&text_[1], size_ - 3}; }
  constexpr std::string_view text() const { return {text_.data(), size_}; }
  constexpr std::size_t size() const { return size_; }

  // kMostBytes at PLACE must be readable.
  bool stands_at(const char* place) const {
    std::uint64_t different = 0;
    for (std::size_t i = 0; i < kMostBytes; i += sizeof(std::uint64_t)) {
      different |= (word_at(place + i) ^ word_at(&text_[i])) & word_at(&mask_[i]);
    }
    return different == 0;
  }

 private:
  static constexpr std::size_t kMostBytes = 40;
  static_assert(kMostBytes <= kLinePadding);

  std::array<char, kMostBytes> text_{};
  std::array<char, kMostBytes> mask_{};
  std::size_t size_;
};

// What is not there makes it fail, once and for all.
class LineCursor {
 public:
  explicit LineCursor(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}

  bool failed() const { return failed_; }
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

  // Branches that are guessed rightly let the processor go on at the next place before it has compared this one; a computed step would not.
  bool skip_if(const KeyText& key) {
    if (!key.stands_at(at_)) [[unlikely]] {
      return false;
    }
    at_ += key.size();
    return true;
  }

  bool skip_if(char mark) {
    if (*at_ != mark) [[unlikely]] {
      return false;
    }
    ++at_;
    return true;
  }

  // A text that is known here: without a call, word by word.
  template <std::size_t kSize>
  bool skip_if(const char (&text)[kSize]) {
    constexpr std::size_t kBytes = kSize - 1;
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    static_assert(kBytes >= kWord && kBytes <= kLinePadding);
    // The last word begins where it ends with the text.
    std::uint64_t different = word_at(at_ + kBytes - kWord) ^ word_at(text + kBytes - kWord);
    for (std::size_t i = 0; i + kWord < kBytes; i += kWord) {
      different |= word_at(at_ + i) ^ word_at(text + i);
    }
    if (different != 0) [[unlikely]] {
      return false;
    }
    at_ += kBytes;
    return true;
  }

  // TEXT in quotes, if it is as short as that may be.
  bool skip_if_quoted(std::string_view text) {
    if (text.size() + 2 > kLinePadding || *at_ != '"' || at_[text.size() + 1] != '"' || !equal(at_ + 1, text)) [[unlikely]] {
      return false;
    }
    at_ += text.size() + 2;
    return true;
  }

  bool skip_if(std::string_view text) {
    if (!rest().starts_with(text)) [[unlikely]] {
      return false;
    }
    at_ += text.size();
    return true;
  }

  template <typename Text>
  void expect(const Text& text) {
    if (!skip_if(text)) {
      failed_ = true;
    }
  }
  void fail() { failed_ = true; }
  void jump_to(const char* place) { at_ = place; }

  // A whole number of at most kMostDigits digits.
  std::int64_t integer() {
    if (at_[1] == ',' && *at_ == '0') {
      ++at_;
      return 0;
    }
    const bool negative = *at_ == '-';
    const char* const begin = at_ + (negative ? 1 : 0);
    auto word = word_at(begin);
    auto digits = leading_digits(word);
    const char* end = begin + digits;
    auto value = value_of(word, digits);
    while (digits == sizeof word && end - begin <= kMostDigits) {
      word = word_at(end);
      digits = leading_digits(word);
      value = value * kPowersOfTen[digits] + value_of(word, digits);
      end += digits;
    }
    const auto all = end - begin;
    if (all < 1 || all > kMostDigits || (all > 1 && *begin == '0') || (*end != ',' && *end != '}')) [[unlikely]] {
      failed_ = true;
    }
    at_ = end;
    return negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
  }

  std::int32_t small_integer() {
    const auto value = integer();
    failed_ = failed_ || value < 0 || value > std::numeric_limits<std::int32_t>::max();
    return failed_ ? 0 : static_cast<std::int32_t>(value);
  }

  bool boolean() {
    if (skip_if(std::string_view("true"))) {
      return true;
    }
    expect(std::string_view("false"));
    return false;
  }

  // What is between quotes, without escapes.
  std::string_view text() {
    expect('"');
    const char* const begin = at_;
    go_to_mark();
    const std::string_view found(begin, static_cast<std::size_t>(at_ - begin));
    expect('"');
    return found;
  }

  // A text that nobody needs, with escapes or without.
  void skip_text() {
    expect('"');
    go_to_mark();
    while (!failed_ && *at_ == '\\') {
      const auto escaped = static_cast<unsigned char>(at_[1]);
      if (escaped < 0x20 || escaped >= 0x80) {
        failed_ = true;  // and stays in front of the line feed that it may be
        return;
      }
      at_ += 2;
      go_to_mark();
    }
    expect('"');
  }

  // Behind a value: true where another field follows, false behind the end of the object.
  bool next_field() {
    if (skip_if(',')) {
      return !failed_;
    }
    expect('}');
    return false;
  }

 private:
  static constexpr std::ptrdiff_t kMostDigits = 18;  // all of them fit into 63 bits
  static constexpr std::uint64_t kLowBits = 0x0101010101010101;
  static constexpr std::uint64_t kHighBits = 0x8080808080808080;
  static constexpr std::array<std::uint64_t, 9> kPowersOfTen{1, 10, 100, 1000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};

  // To the next quote or backslash, over printable ASCII alone.
  void go_to_mark() {
    for (;; at_ += sizeof(std::uint64_t)) {
      const auto word = word_at(at_);
      const auto marks = bytes_of_value(word, '"') | bytes_of_value(word, '\\');
      const auto strange = bytes_below_space(word) | bytes_of_value(word, 0x7F) | (word & kHighBits);
      // Of each the first one is exact: the line feed behind the line ends the search.
      if ((marks | strange) != 0) {
        failed_ = failed_ || marks == 0 || std::countr_zero(strange) < std::countr_zero(marks);
        at_ += std::countr_zero(marks | strange) / 8;
        return;
      }
    }
  }

  // The highest bit of the bytes that are so; behind the first one there may be more that are not.
  static std::uint64_t bytes_of_value(std::uint64_t word, std::uint64_t value) {
    const auto zeros = word ^ (kLowBits * value);
    return (zeros - kLowBits) & ~zeros & kHighBits;
  }
  static std::uint64_t bytes_below_space(std::uint64_t word) { return (word - kLowBits * 0x20) & ~word & kHighBits; }

  // Without a call, for texts that are mostly some words long.
  static bool equal(const char* place, std::string_view text) {
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    std::uint64_t different = 0;
    std::size_t i = 0;
    for (; i + kWord <= text.size(); i += kWord) {
      different |= word_at(place + i) ^ word_at(text.data() + i);
    }
    if (i > 0 && i < text.size()) {
      // The last word begins where it ends with the text.
      different |= word_at(place + text.size() - kWord) ^ word_at(text.data() + text.size() - kWord);
    } else if (i == 0) {
      for (; i < text.size(); ++i) {
        different |= static_cast<std::uint64_t>(place[i] != text[i]);
      }
    }
    return different == 0;
  }

  // How many of the bytes, from the first one on, are digits.
  static std::size_t leading_digits(std::uint64_t word) {
    const auto values = word ^ (kLowBits * '0');
    // No carry reaches another byte before the first one that is no digit.
    const auto others = (values | (values + kLowBits * (0x7F - 9))) & kHighBits;
    return static_cast<std::size_t>(std::countr_zero(others)) / 8;
  }

  // Of so many digits at the front of the word: pairs of them, then pairs of those, are put together side by side.
  static std::uint64_t value_of(std::uint64_t word, std::size_t digits) {
    if (digits == 0) {
      return 0;
    }
    word = (word ^ (kLowBits * '0')) << (64 - 8 * digits);
    word = word * 10 + (word >> 8U);
    constexpr std::uint64_t kEverySecondPair = 0x000000FF000000FF;
    const auto front = (word & kEverySecondPair) * (100 + (std::uint64_t{1'000'000} << 32U));
    const auto back = ((word >> 16U) & kEverySecondPair) * (1 + (std::uint64_t{10'000} << 32U));
    return (front + back) >> 32U;
  }

  const char* at_;
  const char* end_;
  bool failed_ = false;
};

}  // namespace stagegate
