// What a web client is told: whom it is, how long it waits, how much it takes.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stagegate {

struct HttpSettings {
  std::vector<std::string> headers;         // "Name: value", sent to the first host only
  std::optional<std::string> user;          // "name:password"
  std::optional<std::string> bearer_token;  // without "Bearer "
  bool netrc = false;                       // ~/.netrc, or what NETRC names
  std::optional<std::string> ca_file;       // of certificates that are trusted instead of the system's
  bool insecure = false;                    // takes any certificate
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds idle_timeout{30'000};           // for all headers together, and then without a byte of the body
  std::uint64_t max_body_bytes = std::uint64_t{256} << 20;  // of an answer that is held in memory, unpacked
  int retries = 4;                                          // after 429, 5xx without a reason to give up, a reset, a cut answer
  std::chrono::milliseconds first_back_off{250};            // doubles, and gives way to Retry-After up to a minute
};

}  // namespace stagegate
