// A TOML file as plain values with their places. toml++ is a heavy header and throws; both stay in toml_tree.cpp.
//
// The names are in a namespace of their own, since other folders read TOML too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "model/job_variant.h"

namespace stagegate::manifest {

struct Value;
struct Entry;

using Array = std::vector<Value>;

struct Table {
  std::vector<Entry> entries;  // in the order of the file
};

struct Date {
  std::string text;  // "2027-03-01"
};

// A time of day, or a date with one: nothing in a manifest is written so.
struct Time {};

struct Value {
  std::variant<std::string, std::int64_t, double, bool, Date, Time, Array, Table> data;
  Position at;
};

struct Entry {
  std::string key;
  // Of the key. For a table whose own header comes behind that of a table inside it: of that header.
  Position at;
  Value value;
};

// Within one file.
bool is_before(const Position& a, const Position& b);

// "a string", "an integer", "a table"
std::string_view type_name(const Value& value);

// FILE is for the positions. The error is one line, for toml++ stops at the first mistake: its place and what is wrong in words that do not
// take a knowledge of TOML's grammar.
Result<Table> parse_toml(std::string_view text, const std::string& file);

}  // namespace stagegate::manifest
