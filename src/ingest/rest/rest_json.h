// What the parsers of REST answers need of Boost.JSON. Private to ingest/rest/: only .cpp files that parse include it, for it brings
// Boost.JSON with it.
//
// Spark leaves out what is absent; `null` counts as absent too. The first thing that is not as it must be is kept in a ShapeError, and what
// was asked for is absent.
#pragma once

#include <cmath>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "base/result.h"
#include "base/text.h"
#include "ingest/rest/rest_time.h"

namespace stagegate::rest {

namespace json = boost::json;

class ShapeError {
 public:
  void note(std::string message) {
    if (message_.empty()) {
      message_ = std::move(message);
    }
  }
  bool any() const { return !message_.empty(); }
  // "its 'stageId' is a text, not a whole number"
  const std::string& message() const { return message_; }

 private:
  std::string message_;
};

inline std::string_view kind_of(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null:
      return "null";
    case json::kind::bool_:
      return "a boolean";
    case json::kind::int64:
    case json::kind::uint64:
    case json::kind::double_:
      return "a number";
    case json::kind::string:
      return "a text";
    case json::kind::array:
      return "a list";
    case json::kind::object:
      return "an object";
  }
  return "something else";
}

// The members of an object, each of the type that it must have.
class Fields {
 public:
  Fields(const json::value& value, ShapeError& error) : object_(value.if_object()), error_(&error) {
    if (object_ == nullptr) {
      error.note(fmt::format("there is {} where an object belongs", kind_of(value)));
    }
  }

  std::optional<std::int64_t> integer(std::string_view name) const {
    const auto* value = find(name);
    if (value == nullptr) {
      return std::nullopt;
    }
    if (const auto* number = value->if_int64()) {
      return *number;
    }
    if (value->is_uint64() || (value->is_double() && !(std::abs(value->get_double()) < 0x1p63))) {
      error_->note(fmt::format("its '{}' is a number beyond 64 bits", name));
    } else {
      wrong(name, value->is_double() ? "a fraction" : kind_of(*value), "a whole number");
    }
    return std::nullopt;
  }

  // Of a member that is always there.
  std::int64_t required_integer(std::string_view name) const {
    const auto number = integer(name);
    if (!number) {
      error_->note(fmt::format("its '{}' is missing", name));
    }
    return number.value_or(0);
  }

  std::int32_t required_small_integer(std::string_view name) const {
    const auto number = required_integer(name);
    if (number != static_cast<std::int32_t>(number)) {
      error_->note(fmt::format("its '{}' is a number beyond 32 bits", name));
    }
    return static_cast<std::int32_t>(number);
  }

  // Valid as long as the document.
  std::optional<std::string_view> text(std::string_view name) const {
    const auto* value = find(name);
    if (value == nullptr) {
      return std::nullopt;
    }
    if (const auto* text = value->if_string()) {
      return std::string_view(text->data(), text->size());
    }
    wrong(name, kind_of(*value), "a text");
    return std::nullopt;
  }

  std::optional<std::string> own_text(std::string_view name) const {
    const auto found = text(name);
    return found ? std::optional(std::string(*found)) : std::nullopt;
  }

  bool boolean(std::string_view name) const {
    const auto* value = find(name);
    if (value != nullptr && !value->is_bool()) {
      wrong(name, kind_of(*value), "true or false");
    }
    return value != nullptr && value->is_bool() && value->get_bool();
  }

  // In milliseconds since 1970.
  std::optional<std::int64_t> time(std::string_view name) const {
    const auto written = text(name);
    const auto parsed = written ? parse_rest_time(*written) : std::nullopt;
    if (written && !parsed) {
      error_->note(fmt::format("its '{}' is '{}', which is no time", name, clean_text(written->substr(0, 40))));
    }
    return parsed;
  }

  // Calls ON_ELEMENT(const json::value&) for each element of a list.
  template <typename OnElement>
  void each(std::string_view name, OnElement&& on_element) const {
    const auto* value = find(name);
    if (value == nullptr) {
      return;
    }
    if (const auto* array = value->if_array()) {
      for (const auto& element : *array) {
        on_element(element);
      }
      return;
    }
    wrong(name, kind_of(*value), "a list");
  }

  // Calls ON_FIELDS(Fields) with an object that may be absent.
  template <typename OnFields>
  void object(std::string_view name, OnFields&& on_fields) const {
    if (const auto* value = find(name)) {
      on_fields(Fields(*value, *error_));
    }
  }

  // Calls ON_VALUE(const json::value&) for each member.
  template <typename OnValue>
  void each_member(OnValue&& on_value) const {
    if (object_ != nullptr) {
      for (const auto& member : *object_) {
        on_value(member.value());
      }
    }
  }

  const json::value* find(std::string_view name) const {
    const auto* value = object_ == nullptr ? nullptr : object_->if_contains(json::string_view(name.data(), name.size()));
    return value == nullptr || value->is_null() ? nullptr : value;
  }

 private:
  void wrong(std::string_view name, std::string_view found, std::string_view wanted) const {
    error_->note(fmt::format("its '{}' is {}, not {}", name, found, wanted));
  }

  const json::object* object_;
  ShapeError* error_;
};

inline void add_integers(const json::value& element, std::vector<std::int64_t>& numbers, ShapeError& error) {
  if (const auto* number = element.if_int64()) {
    numbers.push_back(*number);
  } else {
    error.note(fmt::format("there is {} where a whole number belongs", kind_of(element)));
  }
}

// Calls ON_DOCUMENT(const json::value&, ShapeError&) with what BODY holds. The error says what it is instead, without the place.
template <typename OnDocument>
Status read_document(std::string_view body, OnDocument&& on_document) {
  try {
    json::monotonic_resource memory;
    json::parse_options options;
    options.max_depth = 256;
    json::error_code code;
    const auto document = json::parse(json::string_view(body.data(), body.size()), code, &memory, options);
    if (code) {
      return fail(ErrorKind::evidence, fmt::format("it is not JSON ({})", code.message()));
    }
    ShapeError error;
    on_document(document, error);
    return error.any() ? Status(fail(ErrorKind::evidence, "it is not what Spark answers: " + error.message())) : Status();
  } catch (const std::exception& exception) {
    return fail(ErrorKind::evidence, fmt::format("it cannot be read as JSON ({})", exception.what()));
  }
}

// The same, with ON_ELEMENT(Fields, ShapeError&) for each object of a list.
template <typename OnElement>
Status read_list(std::string_view body, OnElement&& on_element) {
  return read_document(body, [&](const json::value& document, ShapeError& error) {
    const auto* array = document.if_array();
    if (array == nullptr) {
      error.note(fmt::format("there is {} where a list belongs", kind_of(document)));
      return;
    }
    for (const auto& element : *array) {
      on_element(Fields(element, error), error);
      if (error.any()) {
        return;
      }
    }
  });
}

}  // namespace stagegate::rest
