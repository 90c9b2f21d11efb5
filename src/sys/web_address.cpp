#include "sys/web_address.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>

#include <fmt/format.h>

#include "base/secret.h"
#include "base/text.h"
#include "sys/curl_library.h"

namespace stagegate {
namespace {

constexpr std::size_t kMaxShown = 400;

using UrlHandle = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

UrlHandle new_url() {
  return {curl().url(), curl().url_cleanup};
}

std::string part(const UrlHandle& url, CURLUPart which) {
  char* text = nullptr;
  if (curl().url_get(url.get(), which, &text, CURLU_DEFAULT_PORT) != CURLUE_OK) {
    return {};
  }
  std::string copy(text);
  curl().free(text);
  return copy;
}

// The URL without the port that is the scheme's own, where none was given.
std::string whole(const UrlHandle& url) {
  char* text = nullptr;
  if (curl().url_get(url.get(), CURLUPART_URL, &text, 0) != CURLUE_OK) {
    return {};
  }
  std::string copy(text);
  curl().free(text);
  return copy;
}

std::optional<WebAddress> address_of(const UrlHandle& url) {
  for (const auto unwanted : {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT}) {
    curl().url_set(url.get(), unwanted, nullptr, 0);
  }
  WebAddress address{whole(url), to_lower_ascii(part(url, CURLUPART_SCHEME)), to_lower_ascii(part(url, CURLUPART_HOST)), 0};
  const auto port = part(url, CURLUPART_PORT);
  std::from_chars(port.data(), port.data() + port.size(), address.port);
  const bool known = address.scheme == "http" || address.scheme == "https";
  return known && !address.host.empty() && address.port > 0 ? std::optional(address) : std::nullopt;
}

// Names of values in addresses that let their holder in, beside those that Spark redacts.
bool lets_in(std::string_view name) {
  constexpr std::array<std::string_view, 7> kParts{"key", "sig", "auth", "session", "passw", "pwd", "jwt"};
  const auto lower = to_lower_ascii(name);
  return is_secret_name(lower) ||
         std::any_of(kParts.begin(), kParts.end(), [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

// Of "?a=b&token=c" and ";jsessionid=c": the values whose names look secret are replaced.
std::string without_secret_values(std::string_view url) {
  std::string shown;
  while (!url.empty()) {
    const auto piece = url.substr(0, std::min(url.find_first_of("?&;", 1), url.size()));
    const auto equals = piece.find('=');
    const bool secret = equals != std::string_view::npos && lets_in(piece.substr(0, equals).substr(piece.find_last_of('/', equals) + 1));
    shown += secret ? piece.substr(0, equals + 1) : piece;
    shown += secret ? kRedacted : "";
    url.remove_prefix(piece.size());
  }
  return shown;
}

std::string on_one_line(std::string_view text) {
  auto line = clean_text(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line.size() <= kMaxShown ? line : clean_text(line.substr(0, kMaxShown)) + "...";
}

// Of what is no address, without what may be a user and a password, in which any character may stand that nobody encoded.
std::string shown_text(std::string_view text) {
  const auto scheme_end = text.find("://");
  const auto begin = scheme_end == std::string_view::npos ? 0 : scheme_end + 3;
  const auto at = text.find_last_of('@');
  const bool has_user = at != std::string_view::npos && at >= begin;
  return on_one_line(without_secret_values(fmt::format("{}{}", text.substr(0, begin), text.substr(has_user ? at + 1 : begin))));
}

}  // namespace

Result<WebAddress> parse_web_address(const std::string& text) {
  STAGEGATE_TRY(load_curl());
  const auto url = new_url();
  const auto code = curl().url_set(url.get(), CURLUPART_URL, text.c_str(), 0);
  const bool complete = code == CURLUE_OK && text.find('\0') == std::string::npos;
  if (complete && (!part(url, CURLUPART_USER).empty() || !part(url, CURLUPART_PASSWORD).empty())) {
    return fail(ErrorKind::usage, fmt::format("'{}' was given with a user or a password in it, which others may see; use --user or --netrc",
                                              shown_text(text)));
  }
  if (auto address = complete ? address_of(url) : std::nullopt) {
    return *std::move(address);
  }
  return fail(ErrorKind::usage, fmt::format("'{}' is not an address as in 'http://host:4040' or 'https://host:18480'", shown_text(text)));
}

std::optional<WebAddress> resolve_location(const WebAddress& base, const std::string& location) {
  const auto url = new_url();
  const bool resolved = curl().url_set(url.get(), CURLUPART_URL, base.url.c_str(), 0) == CURLUE_OK &&
                        curl().url_set(url.get(), CURLUPART_URL, location.c_str(), CURLU_URLENCODE | CURLU_ALLOW_SPACE) == CURLUE_OK;
  return resolved ? address_of(url) : std::nullopt;
}

bool same_origin(const WebAddress& a, const WebAddress& b) {
  return a.scheme == b.scheme && a.host == b.host && a.port == b.port;
}

std::string origin_of(const WebAddress& address) {
  return fmt::format("{}://{}:{}", address.scheme, address.host, address.port);
}

std::string shown_address(const WebAddress& address) {
  return on_one_line(without_secret_values(address.url));
}

}  // namespace stagegate
