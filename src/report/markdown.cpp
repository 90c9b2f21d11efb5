#include "report/markdown.h"

#include <cctype>

namespace stagegate {
namespace {

constexpr std::string_view kZeroWidthSpace = "&#8203;";

// Numeric references rather than backslashes where a backslash is not enough: table borders and formulas are looked for before it counts.
std::string_view reference_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '|':
      return "&#124;";
    case '`':
      return "&#96;";
    case '$':
      return "&#36;";
    default:
      return {};
  }
}

bool is_one_of(char c, std::string_view characters) {
  return characters.find(c) != std::string_view::npos;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// An underscore inside a word is one, as in "customer_id".
bool is_inside_word(std::string_view line, std::size_t i) {
  return i > 0 && i + 1 < line.size() && is_word(line[i - 1]) && is_word(line[i + 1]);
}

bool needs_backslash(std::string_view line, std::size_t i) {
  return is_one_of(line[i], "\\*[]~!#") || (line[i] == '_' && !is_inside_word(line, i));
}

// "@team", "#12", and GitLab's "!34", "%5", "&6", "$7".
bool begins_reference(std::string_view rest) {
  if (rest.size() < 2) {
    return false;
  }
  return rest[0] == '@' ? is_word(rest[1]) || rest[1] == '_' : is_one_of(rest[0], "#!%&$") && is_one_of(rest[1], "0123456789");
}

}  // namespace

std::string markdown_text(std::string_view text, std::size_t max_width) {
  const auto line = one_line(text, max_width);
  std::string escaped;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (const auto reference = reference_of(line[i]); !reference.empty()) {
      escaped += reference;
    } else {
      escaped += needs_backslash(line, i) ? "\\" : "";
      escaped += line[i];
    }
    if (begins_reference(std::string_view(line).substr(i))) {
      escaped += kZeroWidthSpace;
    }
  }
  return escaped;
}

}  // namespace stagegate
