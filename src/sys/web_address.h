// Addresses of the web, taken apart by libcurl, so that what is compared is what is asked.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"

namespace stagegate {

struct WebAddress {
  std::string url;     // complete, without user, password and fragment
  std::string scheme;  // "http" or "https"
  std::string host;    // in lower case; "[::1]"
  int port = 0;        // the scheme's own where the URL has none
};

// Kind usage: not an address of http or https, or one with a user and a password, which the message leaves out.
Result<WebAddress> parse_web_address(const std::string& text);

// What LOCATION of an answer from BASE stands for, relative or not, without user and password; none where it is not of http or https.
std::optional<WebAddress> resolve_location(const WebAddress& base, const std::string& location);

bool same_origin(const WebAddress& a, const WebAddress& b);

// "https://host:443"
std::string origin_of(const WebAddress& address);

// As it may stand in a message: on one line, not too long, and without the values whose names look secret.
std::string shown_address(const WebAddress& address);

}  // namespace stagegate
