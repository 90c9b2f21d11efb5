// When a web server is asked again, and how soon.
#pragma once

#include <chrono>
#include <optional>
#include <random>
#include <string_view>

#include "sys/web_failure.h"

namespace stagegate {

// How much of an answer's body is_worth_a_retry() wants to see, where there is so much.
inline constexpr std::size_t kBodyForRetry = 64;

// 429, 500, 502, 503 and 504: it may have passed in a moment.
bool may_pass(int status);

// As may_pass(), but for the 503 by which Spark says that it has no event logs to give, whose BODY tells it.
bool is_worth_a_retry(int status, std::string_view body);

// A connection that broke, or an answer that was not complete. Where nothing listens, or nothing comes in time, asking again is no use.
bool is_worth_a_retry(WebTrouble trouble);

// The tries of one request.
class RetryPolicy {
 public:
  RetryPolicy(int retries, std::chrono::milliseconds first_back_off, std::minstd_rand::result_type seed)
      : left_(retries), back_off_(first_back_off), random_(seed) {}

  // How long to wait before the next try: twice as long each time, and up to a quarter more, so that many clients do not come back
  // together; or as long as the server asked for. None where that is more than a minute, or where it was tried often enough.
  std::optional<std::chrono::milliseconds> next_wait(std::optional<std::chrono::seconds> retry_after);

 private:
  int left_;
  std::chrono::milliseconds back_off_;
  std::minstd_rand random_;
};

}  // namespace stagegate
