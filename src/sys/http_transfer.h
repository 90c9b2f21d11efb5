// One request over libcurl, and its answer as it comes: no redirects, no retries.
//
// It is pulled: bytes move only while a function of it runs, and one that waits gives up when the time-outs of the settings have passed. It
// may be used by one thread after the other.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/http_settings.h"
#include "sys/web_address.h"
#include "sys/web_failure.h"

namespace stagegate {

// The connections that are kept for the next request; of libcurl, and for one thread at a time.
class ConnectionPool;
// The error is that of load_curl().
Result<std::shared_ptr<ConnectionPool>> new_connection_pool();

enum class BodyUse {
  held,      // it is asked for packed, and all of it comes to lie in memory, up to the settings' limit
  streamed,  // it is taken as it is, and the server waits for the reader
};

struct AnswerHead {
  int status = 0;
  std::string content_type;  // in lower case, without parameters
  std::optional<std::string> location;
  std::optional<std::chrono::seconds> retry_after;
  std::optional<std::uint64_t> bytes;  // of the body, packed as it comes
};

class HttpTransfer {
 public:
  // PRIVATE_LINES are what private_headers() gave; without them neither user nor netrc is used.
  HttpTransfer(std::shared_ptr<ConnectionPool> pool, const WebAddress& address, const HttpSettings& settings, BodyUse use,
               const std::vector<std::string>* private_lines);
  HttpTransfer(const HttpTransfer&) = delete;
  HttpTransfer& operator=(const HttpTransfer&) = delete;
  // Breaks off what is not complete.
  ~HttpTransfer();

  // Waits until all headers are there.
  Transferred<AnswerHead> head();
  // Waits until so many bytes of the body are there, or all; of a streamed one ask for at most 64 KiB.
  Transferred<void> fill(std::size_t bytes);
  // What is there and was not read.
  std::string_view waiting() const;
  // All that fill() gathered.
  std::string take_body();
  // As ByteSource::read().
  Transferred<std::size_t> read(std::span<char> buffer);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stagegate
