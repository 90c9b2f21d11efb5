// A hash that is the same on every machine, in every build and for all time: it stands in baseline files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stagegate {

// FNV-1a, 64 bits, over the bytes of TEXT; the hash of "" is 0xcbf29ce484222325.
// http://www.isthe.com/chongo/tech/comp/fnv/ (published test vectors: "a" is af63dc4c8601ec8c, "foobar" is 85944171f73967e8).
std::uint64_t stable_hash(std::string_view text);

// 16 lower-case hex digits.
std::string to_hex(std::uint64_t hash);

}  // namespace stagegate
