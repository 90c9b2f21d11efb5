#include "baseline/json_writer.h"

#include <utility>

#include <fmt/format.h>

namespace stagegate {

void JsonWriter::begin_object(std::string_view key) {
  begin(key, '{');
}

void JsonWriter::begin_list(std::string_view key) {
  begin(key, '[');
}

void JsonWriter::text(std::string_view key, std::string_view value) {
  begin_line(key);
  quote(value);
}

void JsonWriter::integer(std::string_view key, std::int64_t value) {
  begin_line(key);
  out_ += std::to_string(value);
}

void JsonWriter::pair(std::string_view key, std::int64_t first, std::int64_t second) {
  begin_line(key);
  out_ += fmt::format("[{}, {}]", first, second);
}

std::string JsonWriter::finish() {
  return std::exchange(out_, {}) + "\n";
}

void JsonWriter::begin(std::string_view key, char bracket) {
  begin_line(key);
  out_ += bracket;
  indent_ += "  ";
  is_first_ = true;
}

// An empty object or list stays on its line.
void JsonWriter::end(char bracket) {
  indent_.resize(indent_.size() - 2);
  if (!is_first_) {
    out_ += "\n" + indent_;
  }
  out_ += bracket;
  is_first_ = false;
}

void JsonWriter::begin_line(std::string_view key) {
  if (!indent_.empty()) {
    out_ += is_first_ ? "\n" : ",\n";
    out_ += indent_;
  }
  is_first_ = false;
  if (key.data() != nullptr) {
    quote(key);
    out_ += ": ";
  }
}

void JsonWriter::quote(std::string_view text) {
  out_ += '"';
  for (const char byte : text) {
    if (byte == '"' || byte == '\\') {
      out_ += {'\\', byte};
    } else if (static_cast<unsigned char>(byte) < 0x20) {
      out_ += fmt::format("\\u{:04x}", static_cast<unsigned>(byte));
    } else {
      out_ += byte;
    }
  }
  out_ += '"';
}

}  // namespace stagegate
