#include "base/error_text.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "base/text.h"

namespace stagegate {
namespace {

constexpr std::string_view kTraceback = "Traceback (most recent call last):";

std::string_view take_line(std::string_view& text) {
  const auto line = text.substr(0, text.find_first_of("\r\n"));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

}  // namespace

std::string_view error_line(std::string_view text) {
  const auto first = trim(take_line(text));
  if (!first.ends_with(kTraceback)) {
    return first;
  }
  while (!text.empty()) {
    const auto line = take_line(text);
    if (!line.empty() && line.front() != ' ' && line.front() != '\t') {
      return trim(line);
    }
  }
  return first;
}

std::string without_numbers(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
  std::string rest;
  for (std::size_t i = 0; i < text.size();) {
    const bool in_word = i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0;
    const auto end = std::min(text.find_first_not_of(kDigits, text.substr(i).starts_with("0x") ? i + 2 : i), text.size());
    const bool number = !in_word && text.substr(i, end - i).find_first_of("0123456789") != std::string_view::npos;
    rest += number ? std::string_view("#") : text.substr(i, 1);
    i = number ? end : i + 1;
  }
  return rest;
}

}  // namespace stagegate
