#include "manifest/toml_tree.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "base/text.h"
#include "base/toml_depth.h"
#include "manifest/syntax_error.h"

namespace stagegate::manifest {
namespace {

Position place(const toml::source_position& position, const std::string& file) {
  return Position{file, position.line, position.column};
}

Value value_of(const toml::node& node, const std::string& file);

// toml++ notes where a key was first seen. For [jobs.a] behind [jobs.a.variant.b] that is the other header, but the table's own place is
// right: the line of its header.
Position place_of_entry(const toml::key& key, const Value& value) {
  const auto at = place(key.source().begin, value.at.file);
  return std::holds_alternative<Table>(value.data) && value.at.line > at.line ? value.at : at;
}

Table table_of(const toml::table& table, const std::string& file) {
  Table result;
  for (auto&& [key, node] : table) {
    auto value = value_of(node, file);
    auto at = place_of_entry(key, value);
    result.entries.push_back(Entry{std::string(key.str()), std::move(at), std::move(value)});
  }
  std::sort(result.entries.begin(), result.entries.end(), [](const Entry& a, const Entry& b) { return is_before(a.at, b.at); });
  return result;
}

Array array_of(const toml::array& array, const std::string& file) {
  Array result;
  for (auto&& node : array) {
    result.push_back(value_of(node, file));
  }
  return result;
}

Value value_of(const toml::node& node, const std::string& file) {
  Value value{Time{}, place(node.source().begin, file)};
  if (const auto* text = node.as_string()) {
    value.data = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.data = integer->get();
  } else if (const auto* floating = node.as_floating_point()) {
    value.data = floating->get();
  } else if (const auto* boolean = node.as_boolean()) {
    value.data = boolean->get();
  } else if (const auto* date = node.as_date()) {
    value.data = Date{fmt::format("{:04}-{:02}-{:02}", date->get().year, date->get().month, date->get().day)};
  } else if (const auto* array = node.as_array()) {
    value.data = array_of(*array, file);
  } else if (const auto* table = node.as_table()) {
    value.data = table_of(*table, file);
  }
  return value;
}

// LINE counts from 1.
std::string_view line_of(std::string_view text, std::uint32_t line) {
  for (; line > 1 && !text.empty(); --line) {
    const auto end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return text.substr(0, text.find('\n'));
}

}  // namespace

bool is_before(const Position& a, const Position& b) {
  return std::tie(a.line, a.column) < std::tie(b.line, b.column);
}

std::string_view type_name(const Value& value) {
  constexpr std::array<std::string_view, std::variant_size_v<decltype(Value::data)>> kNames{
      "a string", "an integer", "a float", "a boolean", "a date", "a time", "an array", "a table"};
  return kNames.at(value.data.index());
}

Result<Table> parse_toml(std::string_view text, const std::string& file) {
  STAGEGATE_TRY(check_key_depth(text, file));
  try {
    return table_of(toml::parse(text, std::string_view(file)), file);
  } catch (const toml::parse_error& error) {
    const auto at = place(error.source().begin, file);
    const auto finding = describe_syntax_error(error.description(), line_of(text, at.line), at.column);
    return fail(ErrorKind::usage, clean_text(fmt::format("{}: {}", to_string(at), finding)));
  }
}

}  // namespace stagegate::manifest
