#include "run/quoting.h"

#include <algorithm>

#include <fmt/format.h>

namespace stagegate {
namespace {

bool is_ascii_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

bool is_one_of(char c, std::string_view characters) {
  return characters.find(c) != std::string_view::npos;
}

bool needs_shell_quotes(char c) {
  return !is_ascii_alphanumeric(c) && !is_one_of(c, "_-+./:=,@%^");
}

// Escaped wherever it stands in a properties file.
std::string_view control_escape(char c) {
  switch (c) {
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    case '\f':
      return "\\f";
    default:
      return {};
  }
}

void append_property_text(std::string& line, std::string_view text, std::string_view also_escaped) {
  for (const char c : text) {
    if (const auto escape = control_escape(c); !escape.empty()) {
      line += escape;
      continue;
    }
    if (is_one_of(c, also_escaped)) {
      line += '\\';
    }
    line += c;
  }
}

}  // namespace

std::string shell_word(std::string_view text) {
  if (!text.empty() && std::none_of(text.begin(), text.end(), needs_shell_quotes)) {
    return std::string(text);
  }
  std::string word = "'";
  for (const char c : text) {
    word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return word + "'";
}

std::string jdk_options_word(std::string_view text) {
  std::string word;
  while (!text.empty()) {
    const char quote = text.front() == '"' ? '\'' : '"';
    const auto piece = text.substr(0, text.find(quote));
    word += quote;
    word += piece;
    word += quote;
    text.remove_prefix(piece.size());
  }
  return word;
}

std::string properties_line(std::string_view key, std::string_view value) {
  std::string line;
  append_property_text(line, key, " :=#!");
  line += '=';
  // Leading blanks would be skipped as part of the separator.
  const auto begin = std::min(value.find_first_not_of(' '), value.size());
  for (std::size_t i = 0; i < begin; ++i) {
    line += "\\ ";
  }
  append_property_text(line, value.substr(begin), "");
  return line + "\n";
}

std::string file_uri(std::string_view path) {
  std::string uri = "file://";
  for (const char c : path) {
    if (is_ascii_alphanumeric(c) || is_one_of(c, "/-._~!$&'()*+,;=:@")) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

}  // namespace stagegate
