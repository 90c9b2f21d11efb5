#include "manifest/table_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"

namespace stagegate::manifest {
namespace {

struct Elsewhere {
  std::string_view key;
  std::string_view hint;
};

// Keys that are unknown where they stand and yet no spelling mistakes.
constexpr std::array<Elsewhere, 8> kElsewhere{{
    {"profiles", "profiles are not in this version of stagegate"},
    {"runs", "it belongs in [defaults], a job or a variant"},
    {"rules_dir", "it belongs at the top of the file, above the first [table]"},
    {"spark", "properties of Spark belong in 'conf'"},
    {"python", "it belongs in [spark], a job or a variant"},
    {"home", "it belongs in [spark], a job or a variant"},
    {"master", "it belongs in [spark], a job or a variant"},
    {"owner", "it belongs in [defaults] or a job"},
}};

std::string hint_for(std::string_view key, const std::vector<std::string>& known) {
  const auto* const row = std::find_if(kElsewhere.begin(), kElsewhere.end(), [&](const Elsewhere& e) { return e.key == key; });
  return row != kElsewhere.end() ? fmt::format("; {}", row->hint) : did_you_mean(key, known);
}

// The shortest text that reads back as the same number, and still as a number with a fraction: 0.9, 5.0.
std::string float_text(double number) {
  auto text = fmt::format("{}", number);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace

TableReader::TableReader(const Table& file, const ManifestContext& context, Problems& problems)
    : table_(&file), at_{context.file, 0, 0}, context_(&context), problems_(&problems) {}

TableReader::TableReader(const Table& table, const TableReader& parent, Position at, std::string_view key, Header header)
    : table_(&table),
      at_(std::move(at)),
      path_(parent.path_.empty() ? std::string(key) : fmt::format("{}.{}", parent.path_, key)),
      header_(header),
      context_(parent.context_),
      problems_(parent.problems_) {}

std::optional<Text> TableReader::text(std::string_view key, std::string_view wanted) {
  const auto* entry = ask(key);
  if (entry == nullptr) {
    return std::nullopt;
  }
  if (!std::holds_alternative<std::string>(entry->value.data)) {
    wrong_type(*entry, wanted);
    return std::nullopt;
  }
  auto value = filled_in(entry->value);
  return value ? std::optional(Text{*std::move(value), entry->value.at}) : std::nullopt;
}

std::optional<Text> TableReader::some_text(std::string_view key, std::string_view wanted) {
  auto found = text(key, wanted);
  if (found && trim(found->value).empty()) {
    problem(found->at, fmt::format("'{}' {} must not be empty", key, where()));
    return std::nullopt;
  }
  return found;
}

std::optional<std::vector<Text>> TableReader::texts(std::string_view key, InsertedBraces braces) {
  const auto* entry = ask(key);
  if (entry == nullptr) {
    return std::nullopt;
  }
  const auto* array = std::get_if<Array>(&entry->value.data);
  if (array == nullptr) {
    wrong_type(*entry, "an array of strings");
    return std::nullopt;
  }
  std::vector<Text> result;
  for (const auto& item : *array) {
    if (!std::holds_alternative<std::string>(item.data)) {
      problem(item.at, fmt::format("'{}' {} must hold strings only, not {}", key, where(), type_name(item)));
    } else if (auto value = filled_in(item, braces)) {
      result.push_back(Text{*std::move(value), item.at});
    }
  }
  return result.size() == array->size() ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<bool> TableReader::flag(std::string_view key) {
  const auto* entry = ask(key);
  if (entry == nullptr) {
    return std::nullopt;
  }
  if (const auto* value = std::get_if<bool>(&entry->value.data)) {
    return *value;
  }
  wrong_type(*entry, "true or false");
  return std::nullopt;
}

std::optional<Integer> TableReader::integer(std::string_view key) {
  const auto* entry = ask(key);
  if (entry == nullptr) {
    return std::nullopt;
  }
  if (const auto* value = std::get_if<std::int64_t>(&entry->value.data)) {
    return Integer{*value, entry->value.at};
  }
  wrong_type(*entry, "an integer");
  return std::nullopt;
}

std::optional<Date> TableReader::date(std::string_view key) {
  const auto* entry = ask(key);
  if (entry == nullptr) {
    return std::nullopt;
  }
  if (const auto* value = std::get_if<Date>(&entry->value.data)) {
    return *value;
  }
  wrong_type(*entry, "a date without quotes such as 2027-03-01");
  return std::nullopt;
}

std::optional<TableReader> TableReader::table(std::string_view key) {
  const auto* entry = ask(key);
  return entry != nullptr ? table(*entry) : std::nullopt;
}

std::optional<TableReader> TableReader::table(const Entry& entry) {
  const auto* found = std::get_if<Table>(&entry.value.data);
  if (found == nullptr) {
    wrong_type(entry, "a table");
    return std::nullopt;
  }
  return TableReader(*found, *this, entry.at, entry.key, Header::table);
}

std::vector<TableReader> TableReader::tables(std::string_view key) {
  const auto* entry = ask(key);
  if (entry == nullptr) {
    return {};
  }
  const auto not_tables = [&] {
    const auto header = path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
    problem(entry->at, fmt::format("'{}' {} must be tables, each with the header [[{}]]", key, where(), header));
    return std::vector<TableReader>();
  };
  const auto* array = std::get_if<Array>(&entry->value.data);
  if (array == nullptr) {
    return not_tables();
  }
  std::vector<TableReader> result;
  for (const auto& item : *array) {
    const auto* element = std::get_if<Table>(&item.data);
    if (element == nullptr) {
      return not_tables();
    }
    result.push_back(TableReader(*element, *this, item.at, key, Header::array_of_tables));
  }
  return result;
}

std::vector<const Entry*> TableReader::other_entries() const {
  std::vector<const Entry*> others;
  for (const auto& entry : table_->entries) {
    if (!is_asked(entry.key)) {
      others.push_back(&entry);
    }
  }
  return others;
}

std::optional<std::string> TableReader::scalar(const Entry& entry) {
  const auto& data = entry.value.data;
  if (const auto* integer = std::get_if<std::int64_t>(&data)) {
    return fmt::format("{}", *integer);
  }
  if (const auto* boolean = std::get_if<bool>(&data)) {
    return *boolean ? "true" : "false";
  }
  if (const auto* number = std::get_if<double>(&data); number != nullptr && std::isfinite(*number)) {
    return float_text(*number);
  }
  if (std::holds_alternative<std::string>(data)) {
    return filled_in(entry.value);
  }
  if (std::holds_alternative<double>(data)) {
    problem(entry.value.at, fmt::format("'{}' {} must be a finite number", entry.key, where()));
  } else {
    wrong_type(entry, "a string, a number or a boolean");
  }
  return std::nullopt;
}

std::optional<std::string> TableReader::filled_in(const Value& value, InsertedBraces braces) {
  auto filled = fill_in_environment(std::get<std::string>(value.data), context_->environment, braces);
  if (!filled) {
    problem(value.at, filled.error().message);
    return std::nullopt;
  }
  if (filled->find('\0') != std::string::npos) {
    problem(value.at, "a string must not hold the character U+0000");
    return std::nullopt;
  }
  return *std::move(filled);
}

Position TableReader::at(std::string_view key) const {
  const auto* entry = find(key);
  return entry != nullptr ? entry->at : at_;
}

std::string TableReader::where() const {
  switch (header_) {
    case Header::none:
      return "at the top level";
    case Header::table:
      return fmt::format("in [{}]", path_);
    case Header::array_of_tables:
      return fmt::format("in [[{}]]", path_);
  }
  return {};
}

void TableReader::wrong_type(const Entry& entry, std::string_view wanted) {
  problem(entry.value.at, fmt::format("'{}' {} must be {}, not {}", entry.key, where(), wanted, type_name(entry.value)));
}

void TableReader::unknown_key(const Entry& entry) {
  problem(entry.at, fmt::format("unknown key '{}' {}{}", entry.key, where(), hint_for(entry.key, asked_)));
}

void TableReader::unknown_keys_are_problems() {
  for (const auto* entry : other_entries()) {
    unknown_key(*entry);
  }
}

const Entry* TableReader::find(std::string_view key) const {
  const auto entry = std::find_if(entries().begin(), entries().end(), [&](const Entry& e) { return e.key == key; });
  return entry != entries().end() ? &*entry : nullptr;
}

const Entry* TableReader::ask(std::string_view key) {
  asked_.emplace_back(key);
  return find(key);
}

bool TableReader::is_asked(std::string_view key) const {
  return std::find(asked_.begin(), asked_.end(), key) != asked_.end();
}

}  // namespace stagegate::manifest
