#include "base/secret.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace stagegate {

bool is_secret_name(std::string_view name) {
  constexpr std::array<std::string_view, 7> kParts{"secret", "password", "token", "accesskey", "access.key", "access_key", "credential"};
  const auto lower = to_lower_ascii(name);
  return std::any_of(kParts.begin(), kParts.end(), [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

}  // namespace stagegate
