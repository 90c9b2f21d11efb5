#include "baseline/file_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace stagegate {

std::string place_of(std::string_view text, std::size_t offset) {
  const auto before = text.substr(0, offset);
  const auto line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto column = std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_begin), before.end(),
                                    [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; });
  return fmt::format("{}:{}", std::count(before.begin(), before.end(), '\n') + 1, column + 1);
}

std::optional<std::size_t> conflict_line(std::string_view text) {
  std::size_t line = 1;
  while (!text.empty()) {
    if (text.starts_with("<<<<<<<") || text.starts_with("|||||||") || text.starts_with("=======") || text.starts_with(">>>>>>>")) {
      return line;
    }
    const auto end = text.find('\n');
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    ++line;
  }
  return std::nullopt;
}

}  // namespace stagegate
