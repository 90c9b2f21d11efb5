// Times of the REST API; the pairs are of Spark's own answers, which have both forms.
#include "ingest/rest/rest_time.h"

#include <gtest/gtest.h>

namespace stagegate {
namespace {

TEST(RestTime, IsInMillisecondsSince1970) {
  EXPECT_EQ(parse_rest_time("2015-02-03T16:43:05.829GMT"), 1422981785829);
  EXPECT_EQ(parse_rest_time("2022-01-13T02:04:10.519GMT"), 1642039450519);
  EXPECT_EQ(parse_rest_time("2025-12-27T14:15:10.215GMT"), 1766844910215);
  EXPECT_EQ(parse_rest_time("2024-02-29T23:59:59.999GMT"), 1709251199999);
}

TEST(RestTime, ThatHasNotComeIsBeforeAllOthers) {
  EXPECT_EQ(parse_rest_time("1969-12-31T23:59:59.999GMT"), -1);
}

TEST(RestTime, ThatIsNoneIsNone) {
  for (const auto* const text : {"", "2015-02-03", "2015-02-30T16:43:05.829GMT", "2015-13-03T16:43:05.829GMT", "2015-02-03T24:43:05.829GMT",
                                 "2015-02-03T16:60:05.829GMT", "2015-02-03T16:43:60.829GMT", "2015-02-03T16:43:05.8x9GMT",
                                 "2015-02-03T16:43:05.829CET", "-015-02-03T16:43:05.829GMT", "2015-02-03 16:43:05.829GMT"}) {
    EXPECT_FALSE(parse_rest_time(text)) << text;
  }
}

}  // namespace
}  // namespace stagegate
