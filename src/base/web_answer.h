// What a web server answered, whoever asked it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace stagegate {

struct WebAnswer {
  int status = 0;            // of HTTP: 200, 404, ...
  std::string content_type;  // in lower case, without parameters: "application/json"; "" where the server does not say
  std::string url;           // that answered, after redirects, without user and password
  std::string body;          // unpacked where it came packed
};

// Asks for PATH below the root of a server ("/api/v1/applications"). Any status is an answer; an error (ErrorKind::evidence) means that
// there was none, or none that could be taken, and says of which address.
using WebGet = std::function<Result<WebAnswer>(std::string_view path)>;

}  // namespace stagegate
