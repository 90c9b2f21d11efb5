// What toml++ says of a file that is not TOML, in words for people who write a manifest twice a year.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stagegate::manifest {

// DESCRIPTION is toml++ 3.3's, LINE the line where it stopped, COLUMN the character of the line, from 1. A description that is not known
// here is handed on in toml++'s words.
std::string describe_syntax_error(std::string_view description, std::string_view line, std::uint32_t column);

}  // namespace stagegate::manifest
