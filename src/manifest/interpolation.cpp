#include "manifest/interpolation.h"

#include <algorithm>

#include <fmt/format.h>

namespace stagegate::manifest {
namespace {

constexpr std::string_view kOpening = "${";

// TEXT begins behind an opening brace; the index of the brace that closes it, or npos.
std::size_t closing_brace(std::string_view text) {
  std::size_t depth = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') {
      ++depth;
    } else if (text[i] == '}' && --depth == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

bool is_variable_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

std::string with_doubled_braces(std::string_view text) {
  std::string doubled;
  for (const char c : text) {
    doubled.append(c == '{' || c == '}' ? 2 : 1, c);
  }
  return doubled;
}

// INSIDE is what stands between "${" and "}".
Result<std::string> value_of_variable(std::string_view inside, const Environment& environment, InsertedBraces braces) {
  const auto colon = inside.find(":-");
  const std::string name(inside.substr(0, colon));
  if (!is_variable_name(name)) {
    return fail(ErrorKind::usage, fmt::format("'${{{}}}' is not an environment variable; a literal '$' is written '$$'", inside));
  }
  const auto value = environment(name);
  const bool has_default = colon != std::string_view::npos;
  if (has_default && value.value_or("").empty()) {
    return fill_in_environment(inside.substr(colon + 2), environment, braces);
  }
  if (!value) {
    return fail(ErrorKind::usage, fmt::format("the environment variable '{0}' is not set; '${{{0}:-...}}' gives it a default", name));
  }
  return braces == InsertedBraces::doubled ? with_doubled_braces(*value) : *value;
}

}  // namespace

Result<std::string> fill_in_environment(std::string_view text, const Environment& environment, InsertedBraces braces) {
  std::string result;
  while (!text.empty()) {
    const auto dollar = std::min(text.find('$'), text.size());
    result += text.substr(0, dollar);
    text.remove_prefix(dollar);
    if (text.starts_with("$$")) {
      result += '$';
      text.remove_prefix(2);
    } else if (text.starts_with(kOpening)) {
      text.remove_prefix(kOpening.size());
      const auto end = closing_brace(text);
      if (end == std::string_view::npos) {
        return fail(ErrorKind::usage, "'${' has no closing '}'; a literal '$' is written '$$'");
      }
      STAGEGATE_TRY_ASSIGN(value, value_of_variable(text.substr(0, end), environment, braces));
      result += value;
      text.remove_prefix(end + 1);
    } else if (!text.empty()) {
      result += '$';
      text.remove_prefix(1);
    }
  }
  return result;
}

}  // namespace stagegate::manifest
