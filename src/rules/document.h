// A TOML file as plain values with their places: what of toml++ the reading of rules needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "rules/problems.h"

namespace stagegate {

struct DocumentEntry;
struct DocumentValue;

using DocumentTable = std::vector<DocumentEntry>;  // in the order of the file
using DocumentArray = std::vector<DocumentValue>;

// A date or a time, which no rule needs.
struct DocumentDate {};

struct DocumentValue {
  Place at;
  std::variant<std::string, std::int64_t, double, bool, DocumentArray, DocumentTable, DocumentDate> value;
};

struct DocumentEntry {
  std::string key;
  Place at;
  DocumentValue value;
};

// "a string", "an integer", ...: for messages.
std::string_view type_name(const DocumentValue& value);

// FILE is for the message of a syntax error, which comes alone, as toml++ stops there. Kind: usage.
Result<DocumentTable> parse_document(std::string_view text, const std::string& file);

// Where the byte at OFFSET of a string value stands in TEXT, the file it was read from. A string with escapes gives its own place.
Place place_in_string(std::string_view text, const DocumentValue& string, std::size_t offset);

}  // namespace stagegate
