// What the parsers of events need of simdjson, in the terms of Spark's JSON. Private to ingest/: only .cpp files that parse include it.
//
// All functions return whether the JSON was as it must be; `false` means that the line is malformed. `null` counts as absent
// everywhere, because Spark writes it for missing texts.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <simdjson.h>

#include "base/error_text.h"

namespace stagegate::json {

namespace ondemand = simdjson::ondemand;
using Key = ondemand::raw_json_string;
using Value = ondemand::value;

// Calls ON_FIELD(Key, Value) -> bool for each field. What it leaves untouched is skipped cheaply.
template <typename OnField>
bool for_each_field(ondemand::object object, OnField&& on_field) {
  for (auto field : object) {
    Key key;
    Value value;
    if (field.key().get(key) != simdjson::SUCCESS || field.value().get(value) != simdjson::SUCCESS || !on_field(key, value)) {
      return false;
    }
  }
  return true;
}

inline bool is_null(Value& value) {
  bool null = false;
  return value.is_null().get(null) == simdjson::SUCCESS && null;
}

template <typename OnField>
bool for_each_field(Value value, OnField&& on_field) {
  ondemand::object object;
  return is_null(value) || (value.get_object().get(object) == simdjson::SUCCESS && for_each_field(object, on_field));
}

// Calls ON_ELEMENT(Value) -> bool for each element.
template <typename OnElement>
bool for_each_element(Value value, OnElement&& on_element) {
  if (is_null(value)) {
    return true;
  }
  ondemand::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) {
    return false;
  }
  for (auto element : array) {
    Value item;
    if (element.get(item) != simdjson::SUCCESS || !on_element(item)) {
      return false;
    }
  }
  return true;
}

inline bool read(Value value, std::int64_t& out) {
  return is_null(value) || value.get_int64().get(out) == simdjson::SUCCESS;
}

inline bool read(Value value, std::optional<std::int64_t>& out) {
  std::int64_t number = 0;
  if (is_null(value)) {
    return true;
  }
  if (value.get_int64().get(number) != simdjson::SUCCESS) {
    return false;
  }
  out = number;
  return true;
}

// Of ids and counts that Spark keeps in an Int: not negative.
inline bool read(Value value, std::int32_t& out) {
  std::int64_t number = 0;
  if (!read(value, number) || number < 0 || number > std::numeric_limits<std::int32_t>::max()) {
    return false;
  }
  out = static_cast<std::int32_t>(number);
  return true;
}

inline bool read(Value value, bool& out) {
  return is_null(value) || value.get_bool().get(out) == simdjson::SUCCESS;
}

inline bool read(Value value, std::string_view& out) {
  return is_null(value) || value.get_string().get(out) == simdjson::SUCCESS;
}

inline bool read(Value value, std::string& out) {
  std::string_view text;
  if (!read(value, text)) {
    return false;
  }
  out = text;
  return true;
}

inline bool read_error_line(Value value, std::string& out) {
  std::string_view text;
  const bool good = read(value, text);
  out = error_line(text);
  return good;
}

inline bool read(Value value, std::optional<std::string>& out) {
  std::string_view text;
  if (is_null(value)) {
    return true;
  }
  if (value.get_string().get(text) != simdjson::SUCCESS) {
    return false;
  }
  out = text;
  return true;
}

inline bool read(Value value, std::vector<std::int64_t>& out) {
  return for_each_element(value, [&](Value element) {
    std::int64_t number = 0;
    const bool good = read(element, number);
    out.push_back(number);
    return good;
  });
}

// Calls ON_TEXT(key, text) for each field of an object whose value is a text. Both are valid until the next document is parsed.
template <typename OnText>
bool for_each_text(Value value, OnText&& on_text) {
  ondemand::object object;
  if (is_null(value)) {
    return true;
  }
  if (value.get_object().get(object) != simdjson::SUCCESS) {
    return false;
  }
  for (auto field : object) {
    std::string_view key;
    std::string_view text;
    Value item;
    if (field.unescaped_key().get(key) != simdjson::SUCCESS || field.value().get(item) != simdjson::SUCCESS) {
      return false;
    }
    if (item.get_string().get(text) == simdjson::SUCCESS) {
      on_text(key, text);
    }
  }
  return true;
}

// An object of texts. Values that are no texts are left out.
inline bool read(Value value, std::map<std::string, std::string>& out) {
  return for_each_text(value,
                       [&](std::string_view key, std::string_view text) { out.insert_or_assign(std::string(key), std::string(text)); });
}

}  // namespace stagegate::json
