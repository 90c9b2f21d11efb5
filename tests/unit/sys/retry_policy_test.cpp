#include "sys/retry_policy.h"

#include <gtest/gtest.h>

namespace stagegate {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(RetryPolicy, DoublesItsWaitsAndAddsAQuarterAtMost) {
  RetryPolicy policy(4, milliseconds(100), 7);
  for (const auto least : {milliseconds(100), milliseconds(200), milliseconds(400), milliseconds(800)}) {
    const auto wait = policy.next_wait({});
    ASSERT_TRUE(wait);
    EXPECT_GE(*wait, least);
    EXPECT_LE(*wait, least * 5 / 4);
  }
  EXPECT_EQ(policy.next_wait({}), std::nullopt);
}

TEST(RetryPolicy, WaitsAsLongAsTheServerAsksUpToAMinute) {
  RetryPolicy policy(4, milliseconds(100), 7);
  EXPECT_EQ(policy.next_wait(seconds(0)), milliseconds(0));
  EXPECT_EQ(policy.next_wait(seconds(60)), seconds(60));
  EXPECT_EQ(policy.next_wait(seconds(-5)), milliseconds(0));
  EXPECT_EQ(policy.next_wait(seconds(61)), std::nullopt);
}

TEST(RetryPolicy, NeverWaitsLongerThanItMayByItself) {
  RetryPolicy policy(100, seconds(50), 7);
  while (const auto wait = policy.next_wait({})) {
    EXPECT_LE(*wait, seconds(75));
  }
}

TEST(RetryPolicy, WithoutRetriesGivesUpAtOnce) {
  EXPECT_EQ(RetryPolicy(0, milliseconds(1), 7).next_wait(seconds(0)), std::nullopt);
}

TEST(RetryPolicy, TriesAgainWhatMayPass) {
  for (const int status : {429, 500, 502, 503, 504}) {
    EXPECT_TRUE(is_worth_a_retry(status, "")) << status;
  }
  for (const int status : {200, 301, 400, 401, 403, 404, 407, 418, 501, 505}) {
    EXPECT_FALSE(is_worth_a_retry(status, "")) << status;
  }
}

TEST(RetryPolicy, TakesSparksWordThatThereAreNoEventLogs) {
  EXPECT_FALSE(is_worth_a_retry(503, "Event logs are not available for app: app-1."));
  EXPECT_TRUE(is_worth_a_retry(503, "Service Unavailable"));
}

TEST(RetryPolicy, TriesAgainWhereTheAnswerBrokeAndNotWhereThereIsNobody) {
  for (const auto trouble : {WebTrouble::broken_off, WebTrouble::empty_answer, WebTrouble::cut_answer}) {
    EXPECT_TRUE(is_worth_a_retry(trouble));
  }
  for (const auto trouble : {WebTrouble::unknown_host, WebTrouble::refused, WebTrouble::connect_timeout, WebTrouble::idle_timeout,
                             WebTrouble::not_http, WebTrouble::untrusted, WebTrouble::too_large}) {
    EXPECT_FALSE(is_worth_a_retry(trouble));
  }
}

}  // namespace
}  // namespace stagegate
