#include "sys/request_headers.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

#include "base/secret.h"
#include "base/text.h"

namespace stagegate {
namespace {

// What is shorter is a part of too many words. "X-Requested-By: spark" is no secret, "X-Token: spark" is one.
constexpr std::size_t kShortestSecret = 4;
constexpr std::size_t kShortestInOtherHeaders = 8;

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == '\x7F'; });
}

constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";

// RFC 9110's token.
bool is_header_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || kMarks.find(c) != std::string_view::npos;
  });
}

std::string_view name_of(std::string_view header) {
  return header.substr(0, header.find(':'));
}

// Behind the first colon: of a header the value, of a user the password. "" where there is none.
std::string_view behind_colon(std::string_view text) {
  const auto colon = text.find(':');
  return colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
}

// As libcurl wants it: a header without a value ends in a semicolon there.
Result<std::string> checked(const std::string& header) {
  if (header.find(':') == std::string::npos || !is_header_name(name_of(header))) {
    return fail(ErrorKind::usage, "a header was given that is not of the form 'Name: value'");
  }
  if (has_control_character(header)) {
    return fail(ErrorKind::usage, fmt::format("the header '{}' was given with a line feed or another control character", name_of(header)));
  }
  const auto value = trim(behind_colon(header));
  return value.empty() ? fmt::format("{};", name_of(header)) : fmt::format("{}: {}", name_of(header), value);
}

Status check_authorizations(const HttpSettings& settings) {
  const auto given = std::count_if(settings.headers.begin(), settings.headers.end(),
                                   [](const std::string& header) { return to_lower_ascii(name_of(header)) == "authorization"; });
  if (given + (settings.user ? 1 : 0) + (settings.bearer_token ? 1 : 0) > 1) {
    return fail(ErrorKind::usage, "give one of a user, a token and an Authorization header: a request has room for one authorization");
  }
  return {};
}

bool is_made_for_secrets(std::string_view header_name) {
  const auto lower = to_lower_ascii(header_name);
  return lower == "authorization" || lower == "cookie" || is_secret_name(lower);
}

// "Bearer abc" is a secret, and so is "abc"; of "a=b; c=d" too each part.
std::vector<std::string> parts_of(std::string_view value) {
  std::vector<std::string> parts{std::string(value)};
  while (!value.empty()) {
    const auto part = value.substr(0, value.find_first_of(" ;,"));
    parts.emplace_back(part);
    parts.emplace_back(part.substr(std::min(part.find('=') + 1, part.size())));
    value.remove_prefix(std::min(part.size() + 1, value.size()));
  }
  return parts;
}

void add_long_ones(const std::vector<std::string>& texts, std::size_t shortest, std::vector<std::string>& secrets) {
  std::copy_if(texts.begin(), texts.end(), std::back_inserter(secrets), [&](const std::string& text) { return text.size() >= shortest; });
}

// As basic authentication sends user and password (RFC 4648), without the padding.
std::string base64(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    bits = bits << 8U | static_cast<unsigned char>(c);
    for (count += 8; count >= 6; count -= 6) {
      result += digits[bits >> (count - 6) & 63U];
    }
  }
  return count == 0 ? result : result + digits[bits << (6 - count) & 63U];
}

}  // namespace

Result<std::vector<std::string>> private_headers(const HttpSettings& settings) {
  std::vector<std::string> lines;
  for (const auto& header : settings.headers) {
    STAGEGATE_TRY_ASSIGN(line, checked(header));
    lines.push_back(std::move(line));
  }
  STAGEGATE_TRY(check_authorizations(settings));
  if (has_control_character(settings.user.value_or(""))) {
    return fail(ErrorKind::usage, "the user or the password holds a line feed or another control character");
  }
  if (settings.bearer_token) {
    if (settings.bearer_token->empty() || has_control_character(*settings.bearer_token)) {
      return fail(ErrorKind::usage, "the token is empty, or holds a line feed or another control character");
    }
    lines.push_back("Authorization: Bearer " + *settings.bearer_token);
  }
  return lines;
}

SecretMask::SecretMask(const HttpSettings& settings) {
  for (const auto& header : settings.headers) {
    const auto shortest = is_made_for_secrets(name_of(header)) ? kShortestSecret : kShortestInOtherHeaders;
    add_long_ones(parts_of(trim(behind_colon(header))), shortest, secrets_);
  }
  const auto user = settings.user.value_or("");
  add_long_ones({settings.bearer_token.value_or(""), std::string(behind_colon(user)), base64(user)}, kShortestSecret, secrets_);
  std::transform(secrets_.begin(), secrets_.end(), secrets_.begin(), to_lower_ascii);
  std::sort(secrets_.begin(), secrets_.end(), [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
}

std::string SecretMask::hide(std::string_view text) const {
  std::string shown(text);
  for (const auto& secret : secrets_) {
    auto lower = to_lower_ascii(shown);
    for (auto at = lower.find(secret); at != std::string::npos; at = lower.find(secret, at + kRedacted.size())) {
      shown.replace(at, secret.size(), kRedacted);
      lower.replace(at, secret.size(), kRedacted);
    }
  }
  return shown;
}

}  // namespace stagegate
