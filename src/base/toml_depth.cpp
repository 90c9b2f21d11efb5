#include "base/toml_depth.h"

#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

namespace stagegate {
namespace {

// The line of the first such key, or 0.
std::uint32_t line_of_endless_key(std::string_view text) {
  constexpr std::size_t kMaxParts = 500;
  std::uint32_t line = 1;
  std::size_t dots = 0;
  char quote = 0;
  for (const char c : text) {
    if (c == '\n') {
      ++line;
      dots = 0;
      quote = 0;
    } else if (quote != 0) {
      quote = c == quote ? '\0' : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '.') {
      if (++dots > kMaxParts) {
        return line;
      }
    } else if (c == '=' || c == ',' || c == '{') {
      dots = 0;
    }
  }
  return 0;
}

}  // namespace

Status check_key_depth(std::string_view text, const std::string& file) {
  if (const auto line = line_of_endless_key(text); line > 0) {
    return fail(ErrorKind::usage, fmt::format("{}:{}:1: not TOML that can be meant: a key of more than 500 parts", file, line));
  }
  return {};
}

}  // namespace stagegate
