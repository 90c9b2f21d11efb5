// Asks web servers, by libcurl, which is used here alone.
//
// What it promises: it ends within its time-outs, whatever the server does; it takes no more bytes than its limit; it speaks http and https
// only, also after redirects; credentials go to the host (scheme, name and port) that the first address named and to no other; nothing secret
// is in an error.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/byte_source.h"
#include "base/result.h"
#include "base/web_answer.h"

namespace stagegate {

struct HttpSettings {
  std::vector<std::string> headers;         // "Name: value", sent to the first host only
  std::optional<std::string> user;          // "name:password"
  std::optional<std::string> bearer_token;  // without "Bearer "
  bool netrc = false;                       // ~/.netrc, or what NETRC names
  std::optional<std::string> ca_file;       // of certificates that are trusted instead of the system's
  bool insecure = false;                    // takes any certificate
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds idle_timeout{30'000};  // without a byte, while an answer is waited for or comes
  std::uint64_t max_body_bytes = std::uint64_t{256} << 20;  // of an answer that is held in memory, unpacked
  int retries = 4;                                          // after 429, 5xx without a reason to give up, a reset, a cut answer
  std::chrono::milliseconds first_back_off{250};            // doubles, and gives way to Retry-After up to a minute
};

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

  // For what is too large to hold. What was answered before the body is tried again as in get(), the body is not. No limit on its size.
  Result<HttpStream> open(const std::string& url);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stagegate
