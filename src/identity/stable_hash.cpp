#include "identity/stable_hash.h"

#include <fmt/format.h>

namespace stagegate {

std::uint64_t stable_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : text) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3U;
  }
  return hash;
}

std::string to_hex(std::uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

}  // namespace stagegate
