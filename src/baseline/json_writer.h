// Writes JSON with one fixed layout: two spaces a level, a member a line, a line feed at the end. The caller gives members in order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stagegate {

class JsonWriter {
 public:
  // Without a key: an element of a list, or the whole.
  void begin_object(std::string_view key = {});
  void end_object() { end('}'); }
  void begin_list(std::string_view key = {});
  void end_list() { end(']'); }
  void text(std::string_view key, std::string_view value);
  void integer(std::string_view key, std::int64_t value);
  // "key": [1, 2], on one line
  void pair(std::string_view key, std::int64_t first, std::int64_t second);

  std::string finish();

 private:
  void begin(std::string_view key, char bracket);
  void end(char bracket);
  void begin_line(std::string_view key);
  void quote(std::string_view text);

  std::string out_;
  std::string indent_;
  bool is_first_ = true;  // of the innermost object or list
};

}  // namespace stagegate
