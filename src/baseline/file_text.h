// A baseline file as text, before it is JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace stagegate {

// "7:3": line and column of the byte at OFFSET, both from 1; a column is a character.
std::string place_of(std::string_view text, std::size_t offset);

// The line, from 1, of the first marker that git leaves in a file with conflicts.
std::optional<std::size_t> conflict_line(std::string_view text);

}  // namespace stagegate
