#include "rules/document.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "base/toml_depth.h"

namespace stagegate {
namespace {

Place place_of(const toml::source_region& source) {
  return {source.begin.line, source.begin.column};
}

DocumentValue convert(const toml::node& node);

DocumentArray convert_array(const toml::array& array) {
  DocumentArray values;
  values.reserve(array.size());
  for (const auto& node : array) {
    values.push_back(convert(node));
  }
  return values;
}

DocumentTable convert_table(const toml::table& table) {
  DocumentTable entries;
  for (const auto& [key, node] : table) {
    entries.push_back({std::string(key.str()), place_of(key.source()), convert(node)});
  }
  std::stable_sort(entries.begin(), entries.end(), [](const DocumentEntry& a, const DocumentEntry& b) {
    return std::tie(a.at.line, a.at.column) < std::tie(b.at.line, b.at.column);
  });
  return entries;
}

DocumentValue convert(const toml::node& node) {
  DocumentValue value{place_of(node.source()), DocumentDate{}};
  if (const auto* text = node.as_string()) {
    value.value = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.value = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    value.value = number->get();
  } else if (const auto* truth = node.as_boolean()) {
    value.value = truth->get();
  } else if (const auto* array = node.as_array()) {
    value.value = convert_array(*array);
  } else if (const auto* table = node.as_table()) {
    value.value = convert_table(*table);
  }
  return value;
}

bool begins_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

// Moves a place over the characters of TEXT.
Place advance(Place place, std::string_view text) {
  for (const char c : text) {
    if (c == '\n') {
      ++place.line;
      place.column = 1;
    } else if (begins_character(c)) {
      ++place.column;
    }
  }
  return place;
}

// TEXT from a place on; empty where there is no such place.
std::string_view text_from(std::string_view text, Place place) {
  for (std::uint32_t line = 1; line < place.line; ++line) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) {
      return {};
    }
    text.remove_prefix(end + 1);
  }
  for (std::uint32_t column = 1; column < place.column && !text.empty(); ++column) {
    text.remove_prefix(1);
    while (!text.empty() && !begins_character(text.front())) {
      text.remove_prefix(1);
    }
  }
  return text;
}

// How many bytes stand before the first one of the string's content: the quotes, and the line break behind three of them.
std::size_t opening_length(std::string_view raw) {
  if (!raw.starts_with(R"(""")") && !raw.starts_with("'''")) {
    return 1;
  }
  const auto behind = raw.substr(3);
  return behind.starts_with('\n') ? 4 : behind.starts_with("\r\n") ? 5 : 3;
}

}  // namespace

std::string_view type_name(const DocumentValue& value) {
  constexpr std::array<std::string_view, 7> kNames{"a string", "an integer", "a float",       "a boolean",
                                                   "an array", "a table",    "a date or time"};
  return kNames[value.value.index()];
}

Result<DocumentTable> parse_document(std::string_view text, const std::string& file) {
  STAGEGATE_TRY(check_key_depth(text, file));
  try {
    return convert_table(toml::parse(text, file));
  } catch (const toml::parse_error& error) {
    const auto place = place_of(error.source());
    return fail(ErrorKind::usage, fmt::format("{}:{}:{}: {}", file, place.line, place.column, error.description()));
  }
}

Place place_in_string(std::string_view text, const DocumentValue& string, std::size_t offset) {
  const auto* content = std::get_if<std::string>(&string.value);
  const auto raw = text_from(text, string.at);
  if (content == nullptr || raw.empty()) {
    return string.at;
  }
  const auto opening = opening_length(raw);
  const auto before = std::string_view(*content).substr(0, offset);
  if (raw.substr(std::min(opening, raw.size()), before.size()) != before) {
    return string.at;
  }
  return advance(string.at, raw.substr(0, opening + before.size()));
}

}  // namespace stagegate
