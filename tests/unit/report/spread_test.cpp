#include "report/spread.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

StageAttempt attempt_that_reads(const std::vector<std::int64_t>& bytes) {
  StageAttempt attempt;
  attempt.winners.metrics[index_of(Metric::shuffle_read_bytes)] = PackedColumn(bytes);
  attempt.distributions[index_of(Metric::shuffle_read_bytes)] = distribution_of(bytes);
  return attempt;
}

TEST(Spread, CountsTheTasksInEqualStepsFromTheSmallestToTheLargest) {
  // Steps of 10: 0 to 9, 10 to 19, ..., 110 to 120.
  const auto spreads = spreads_of(attempt_that_reads({0, 9, 10, 119, 120, 60}));
  ASSERT_EQ(spreads.size(), 1U);
  EXPECT_EQ(spreads[0].name, "shuffle_read");
  EXPECT_EQ(spreads[0].buckets, (std::vector<std::size_t>{2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2}));
}

TEST(Spread, HasNoBucketsWhereAllTasksAreEqual) {
  EXPECT_TRUE(spreads_of(attempt_that_reads({7, 7, 7}))[0].buckets.empty());
  EXPECT_TRUE(spreads_of(attempt_that_reads({7}))[0].buckets.empty());
}

TEST(Spread, IsOfTheDetailsToo) {
  StageAttempt attempt;
  attempt.winners.details[index_of(TaskDetail::gc_time_ms)] = PackedColumn({1, 2, 3});
  const auto spreads = spreads_of(attempt);
  ASSERT_EQ(spreads.size(), 1U);
  EXPECT_EQ(spreads[0].name, "gc_time_ms");
  EXPECT_EQ(spreads[0].values.median, (Quarters{8}));
  EXPECT_EQ(spreads[0].values.sum, 6);
}

TEST(Spread, OfTheLargestNumbersStaysInside) {
  constexpr std::int64_t kLargest = 9'223'372'036'854'775'807;
  const auto spreads = spreads_of(attempt_that_reads({0, kLargest, kLargest / 2}));
  std::size_t tasks = 0;
  for (const auto bucket : spreads[0].buckets) {
    tasks += bucket;
  }
  EXPECT_EQ(tasks, 3U);
}

TEST(Bars, AreAsHighAsTheirShareOfTheFullest) {
  EXPECT_EQ(bars({1, 0, 8, 16}, Glyphs::unicode), "▁ ▄█");
  EXPECT_EQ(bars({1, 0, 8, 16}, Glyphs::ascii), ". =@");
  EXPECT_EQ(bars({1, 1'000'000}, Glyphs::unicode), "▁█") << "one task among a million is seen";
  EXPECT_EQ(bars({}, Glyphs::unicode), "");
}

TEST(MeasureText, HasReadableUnits) {
  EXPECT_EQ(measure_text(1536, DetailUnit::bytes), "1.5 KiB");
  EXPECT_EQ(measure_text(1'000'000, DetailUnit::count), "1,000,000");
  EXPECT_EQ(measure_text(61'000, DetailUnit::milliseconds), "1 min 01 s");
  EXPECT_EQ(measure_text(410'000, DetailUnit::nanoseconds), "0.41 ms");
  EXPECT_EQ(measure_text(61'000'000'000, DetailUnit::nanoseconds), "1 min 01 s");
  EXPECT_EQ(measure_text(Quarters{6}, DetailUnit::count), "1.5");
  EXPECT_EQ(measure_text(Quarters{4002}, DetailUnit::count), "1,001") << "half a record of a thousand is of no interest";
  EXPECT_EQ(measure_text(Quarters{6}, DetailUnit::milliseconds), "2 ms");
}

TEST(MetricWords, AreThoseOfATable) {
  const std::vector<std::pair<std::string, std::string>> cases{{"shuffle_read_records", "shuffle read records"},
                                                               {"duration_ms", "duration"},
                                                               {"cpu_time_ns", "CPU time"},
                                                               {"gc_time_ms", "GC time"},
                                                               {"input", "input"}};
  for (const auto& [name, words] : cases) {
    EXPECT_EQ(metric_words(name), words);
  }
}

}  // namespace
}  // namespace stagegate
