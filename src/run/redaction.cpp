#include "run/redaction.h"

#include "base/secret.h"
#include "base/text.h"

namespace stagegate {
namespace {

// A shorter one, such as "true", would be found in texts that have nothing to do with it.
constexpr std::size_t kShortestSecret = 6;

void replace_all(std::string& text, const std::string& old_part, std::string_view new_part) {
  for (std::size_t at = text.find(old_part); at != std::string::npos; at = text.find(old_part, at + new_part.size())) {
    text.replace(at, old_part.size(), new_part);
  }
}

}  // namespace

Redaction::Redaction(const PlannedProcess& process) {
  for (const auto& [key, value] : process.conf) {
    note(key, value.value);
  }
  for (const auto& [name, value] : process.environment) {
    note(name, value);
  }
  for (const auto& argument : process.argv) {
    const auto equals = argument.find('=');
    if (equals != std::string::npos) {
      note(std::string_view(argument).substr(0, equals), argument.substr(equals + 1));
    }
  }
}

std::string Redaction::text(std::string_view raw) const {
  std::string hidden(raw);
  for (const auto& secret : secrets_) {
    replace_all(hidden, secret, kRedacted);
  }
  return clean_text(hidden);
}

std::string Redaction::value(std::string_view name, std::string_view raw) const {
  return is_secret_name(name) ? std::string(kRedacted) : text(raw);
}

void Redaction::note(std::string_view name, const std::string& value) {
  if (is_secret_name(name) && value.size() >= kShortestSecret) {
    secrets_.push_back(value);
  }
}

}  // namespace stagegate
