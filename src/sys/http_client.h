// Asks web servers, by libcurl.
//
// What it promises: it ends within its time-outs, whatever the server does; it takes no more bytes than its limit; it speaks http and https
// only, also after redirects; credentials go to the host (scheme, name and port) that the first address named and to no other, but for
// https of the same host (redirect_rules.h); nothing secret is in an error. A text that was packed and is cut before it ends looks complete
// where the server's framing of it is: the reader of JSON has to notice.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/byte_source.h"
#include "base/result.h"
#include "base/web_answer.h"
#include "sys/http_settings.h"

namespace stagegate {

// An answer whose body is read as it comes.
struct HttpStream {
  int status = 0;
  std::string content_type;
  std::string url;
  std::optional<std::uint64_t> bytes;  // of the body, where the server says
  std::unique_ptr<ByteSource> body;    // its errors name the address; a body that ends early is one
};

class HttpClient {
 public:
  explicit HttpClient(HttpSettings settings);
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  ~HttpClient();

  // URL may hold no user and password. The connection is kept for the next one. Statuses that were tried again to the end are answers.
  Result<WebAnswer> get(const std::string& url);

  // TEXT that a server sent, to be shown: a server may say back what it was told.
  std::string without_secrets(std::string_view text) const;

  // For what is too large to hold. What was answered before the body is tried again as in get(), the body is not. No limit on its size.
  Result<HttpStream> open(const std::string& url);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stagegate
