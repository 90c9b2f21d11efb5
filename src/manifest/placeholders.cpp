#include "manifest/placeholders.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"

namespace stagegate::manifest {
namespace {

const std::array<std::string, 4> kPlaceholders{"{run_dir}", "{job}", "{variant}", "{manifest_dir}"};

std::string unknown(const std::string& placeholder) {
  const auto hint = did_you_mean(placeholder, kPlaceholders);
  const auto known = fmt::format("; known are {}, and a literal '{{' is written '{{{{'", join(kPlaceholders, ", "));
  return fmt::format("unknown placeholder '{}'{}", placeholder, hint.empty() ? known : hint);
}

}  // namespace

std::optional<std::string> find_bad_placeholder(std::string_view text) {
  for (auto i = text.find_first_of("{}"); i != std::string_view::npos; i = text.find_first_of("{}", i)) {
    if (text.substr(i).starts_with("{{") || text.substr(i).starts_with("}}")) {
      i += 2;
      continue;
    }
    const auto end = text.find('}', i);
    if (text[i] == '}' || end == std::string_view::npos) {
      return fmt::format("'{0}' has no partner; a literal '{0}' is written '{0}{0}'", text[i]);
    }
    const std::string placeholder(text.substr(i, end + 1 - i));
    if (std::find(kPlaceholders.begin(), kPlaceholders.end(), placeholder) == kPlaceholders.end()) {
      return unknown(placeholder);
    }
    i = end + 1;
  }
  return std::nullopt;
}

}  // namespace stagegate::manifest
