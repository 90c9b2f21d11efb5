#include "sys/retry_policy.h"

#include <algorithm>
#include <utility>

namespace stagegate {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kLongestWait{60};

}  // namespace

bool may_pass(int status) {
  return status == 429 || status == 500 || (status >= 502 && status <= 504);
}

bool is_worth_a_retry(int status, std::string_view body) {
  return may_pass(status) && !(status == 503 && body.starts_with("Event logs are not available"));
}

bool is_worth_a_retry(WebTrouble trouble) {
  return trouble == WebTrouble::broken_off || trouble == WebTrouble::empty_answer || trouble == WebTrouble::cut_answer;
}

std::optional<milliseconds> RetryPolicy::next_wait(std::optional<seconds> retry_after) {
  if (left_ <= 0 || retry_after > kLongestWait) {
    return std::nullopt;
  }
  --left_;
  const auto back_off = std::min<milliseconds>(back_off_, kLongestWait);
  back_off_ = 2 * back_off;
  std::uniform_int_distribution<milliseconds::rep> extra(0, back_off.count() / 4);
  return retry_after ? std::max<milliseconds>(*retry_after, milliseconds(0)) : back_off + milliseconds(extra(random_));
}

}  // namespace stagegate
