#include "ingest/spark_address.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "ingest/rest/rest_client.h"

namespace stagegate {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view kBehindScheme = "://";

// First parts of the pages of Spark's UI; an application's are below its root.
constexpr std::array<std::string_view, 15> kPages{"jobs",       "stages",         "storage",   "environment",  "executors",
                                                  "SQL",        "connect",        "streaming", "sqlserver",    "StreamingQuery",
                                                  "threaddump", "heap-histogram", "static",    "thriftserver", "index.html"};

bool is_page(std::string_view word) {
  return std::find(kPages.begin(), kPages.end(), word) != kPages.end();
}

bool is_scheme_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

// In lower case; "" where there is none.
std::string scheme_of(std::string_view source) {
  const auto end = source.find(kBehindScheme);
  if (end == std::string_view::npos || end == 0 || !std::all_of(source.begin(), source.begin() + end, is_scheme_character)) {
    return {};
  }
  return to_lower_ascii(source.substr(0, end));
}

// What to do about an address that is none of the web.
std::string advice_for(std::string_view scheme) {
  if (scheme == "spark") {
    return "it is where jobs are submitted to; give the address of the application's own UI (http://driver:4040), of a history server, or "
           "an "
           "event log";
  }
  if (scheme == "sc") {
    return "Spark Connect's port speaks gRPC and shows no stages; give the address of the Connect server's UI (http://server:4040) or its "
           "event "
           "log";
  }
  return "only http and https are read; copy the event log to this machine and give its path, or give the address of a history server that "
         "has it";
}

bool is_allowed(char c) {
  return c > ' ' && c < '\x7f' && std::string_view("<>\"\\^`{|}").find(c) == std::string_view::npos;
}

tl::unexpected<Error> refuse(std::string_view what) {
  return fail(ErrorKind::usage, fmt::format("SOURCE is no address of the web: {}", what));
}

int digit_of(char c) {
  const auto lower = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto at = std::string_view("0123456789abcdef").find(lower);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

// "p%40ss" -> "p@ss"
std::string decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '%' && i + 2 < text.size() && digit_of(text[i + 1]) >= 0 && digit_of(text[i + 2]) >= 0;
    result += is_escape ? static_cast<char>(16 * digit_of(text[i + 1]) + digit_of(text[i + 2])) : text[i];
    i += is_escape ? 2 : 0;
  }
  return result;
}

struct Authority {
  std::string host;  // with its port
  std::optional<std::string> user;
};

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }) &&
         std::stoi(std::string(text)) <= 65535;
}

Result<Authority> parse_authority(std::string_view text) {
  Authority result;
  if (const auto at = text.rfind('@'); at != std::string_view::npos) {
    result.user = decoded(text.substr(0, at));
    text.remove_prefix(at + 1);
  }
  const auto bracket = text.rfind(']');  // of an IPv6 address
  const auto colon = text.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (text.substr(0, colon).empty()) {
    return refuse("there is no host in it");
  }
  if (colon != std::string_view::npos && !is_port(text.substr(colon + 1))) {
    return refuse("what stands behind the host is no port");
  }
  result.host = to_lower_ascii(text);
  return result;
}

// The parts of a path, without empty ones.
Words parts_of(std::string_view path) {
  auto parts = split(path, '/');
  std::erase(parts, "");
  return parts;
}

std::string joined(std::span<const std::string> parts) {
  std::string path;
  for (const auto& part : parts) {
    path += "/" + part;
  }
  return path;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

using Place = Words::const_iterator;

// The parts from BEGIN are "<app>[/<attempt>][/page]".
void take_application(SparkAddress& address, Place begin, Place end) {
  if (begin == end) {
    return;
  }
  address.app = *begin++;
  // Attempts have names as well ("appattempt_..."), pages never look like either.
  if (begin != end && (is_number(*begin) || begin->starts_with("appattempt_"))) {
    address.attempt = *begin;
  }
}

// What the path says: its part that belongs to the root, and the application.
void take_path(SparkAddress& address, const Words& parts) {
  const auto begin = parts.begin();
  const auto root_up_to = [&](Place place) { address.root += joined({begin, place}); };
  const auto find = [&](std::string_view word) { return std::find(begin, parts.end(), word); };

  if (const auto api = find("api"); api != parts.end()) {
    root_up_to(api);
    const auto applications = std::find(api, parts.end(), "applications");
    if (applications != parts.end()) {
      take_application(address, applications + 1, parts.end());
    }
    return;
  }
  if (const auto history = find("history"); history != parts.end() && history + 1 != parts.end()) {
    root_up_to(history);
    return take_application(address, history + 1, parts.end());
  }
  if (const auto proxy = find("proxy"); proxy != parts.end() && proxy + 1 != parts.end()) {
    root_up_to(proxy + 2);
    address.app = proxy[1];
    return;
  }
  if (const auto cluster = find("cluster"); cluster != parts.end() && parts.end() - cluster > 2 && cluster[1] == "app") {
    root_up_to(cluster);
    address.root += "/proxy/" + cluster[2];
    address.app = cluster[2];
    return;
  }
  root_up_to(std::find_if(begin, parts.end(), is_page));
}

}  // namespace

bool is_address(std::string_view source) {
  const auto scheme = scheme_of(source);
  return !scheme.empty() && scheme != "file";
}

Result<SparkAddress> parse_spark_address(std::string_view address) {
  const auto scheme = scheme_of(address);
  if (scheme != "http" && scheme != "https") {
    return refuse(fmt::format("'{}://' is another kind of address; {}", scheme, advice_for(scheme)));
  }
  if (!std::all_of(address.begin(), address.end(), is_allowed)) {
    return refuse("there are blanks or other characters in it that an address does not have");
  }
  address.remove_prefix(scheme.size() + kBehindScheme.size());
  address = address.substr(0, address.find_first_of("?#"));
  const auto slash = address.find('/');
  STAGEGATE_TRY_ASSIGN(authority, parse_authority(address.substr(0, slash)));
  SparkAddress result;
  result.root = fmt::format("{}://{}", scheme, authority.host);
  result.user = std::move(authority.user);
  take_path(result, parts_of(slash == std::string_view::npos ? "" : address.substr(slash)));
  return result;
}

std::string rest_path_of(std::string_view app, const std::optional<std::string>& attempt) {
  return attempt ? fmt::format("{}/{}", path_part(app), path_part(*attempt)) : path_part(app);
}

}  // namespace stagegate
