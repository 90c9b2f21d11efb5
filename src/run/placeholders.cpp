#include "run/placeholders.h"

#include <cstdint>
#include <functional>

namespace stagegate {
namespace {

enum class DoubledBraces : std::uint8_t { stay, become_one };

// The entry that TEXT, which begins with '{', names; or end().
PlaceholderValues::const_iterator named_value(std::string_view text, const PlaceholderValues& values) {
  const auto close = text.find('}');
  return close == std::string_view::npos ? values.end() : values.find(text.substr(1, close - 1));
}

std::string fill_in(std::string_view text, const PlaceholderValues& values, DoubledBraces doubled) {
  std::string filled;
  while (!text.empty()) {
    const char c = text.front();
    const bool is_double = (c == '{' || c == '}') && text.size() > 1 && text[1] == c;
    if (is_double && doubled == DoubledBraces::become_one) {
      filled += c;
      text.remove_prefix(2);
      continue;
    }
    if (const auto value = c == '{' ? named_value(text, values) : values.end(); value != values.end()) {
      filled += value->second;
      text.remove_prefix(value->first.size() + 2);
      continue;
    }
    filled += c;
    text.remove_prefix(1);
  }
  return filled;
}

}  // namespace

std::string fill_in_template(std::string_view text, const PlaceholderValues& values) {
  return fill_in(text, values, DoubledBraces::become_one);
}

std::string fill_in_names(std::string_view text, const PlaceholderValues& values) {
  return fill_in(text, values, DoubledBraces::stay);
}

}  // namespace stagegate
