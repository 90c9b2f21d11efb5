// Logs that are as no job writes them, but as somebody may: they are read to their end, and what is around the strange part is not lost.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "property/logs.h"
#include "unit/ingest/describe.h"
#include "unit/ingest/spark_lines.h"

namespace stagegate {
namespace {

using namespace std::string_literals;

std::vector<std::string> codes_of(const Application& application) {
  std::vector<std::string> codes;
  for (const auto& problem : application.evidence.problems) {
    codes.push_back(problem.code);
  }
  return codes;
}

// The log of one stage with two tasks, and LINE in the middle of it.
Application with_line(const std::string& line) {
  auto log = log_of_one_stage({.tasks = 2}, {{.index = 0}, {.index = 1, .shuffle_read = 77}});
  log.insert(log.find('\n', log.size() / 2) + 1, line + "\n");
  auto result = read_bytes(log);
  EXPECT_TRUE(result);
  EXPECT_EQ(describe(*result, EvidencePart::without),
            describe(*read_bytes(log_of_one_stage({.tasks = 2}, {{.index = 0}, {.index = 1, .shuffle_read = 77}})), EvidencePart::without));
  return *std::move(result);
}

std::string nested(std::string_view open, std::string_view close, int depth, std::string_view inside = "") {
  std::string text;
  for (int i = 0; i < depth; ++i) {
    text += open;
  }
  text += inside;
  for (int i = 0; i < depth; ++i) {
    text += close;
  }
  return text;
}

TEST(HostileLog, MayNestItsJsonAHundredThousandTimes) {
  constexpr int kDepth = 100'000;
  for (const auto& value : {nested("[", "]", kDepth), nested("{\"a\":", "}", kDepth, "1"), nested("[", "", kDepth)}) {
    for (const auto* event :
         {"SparkListenerTaskStart", "SparkListenerTaskEnd", "SparkListenerApplicationEnd", "SparkListenerEnvironmentUpdate",
          "SparkListenerOfTheFuture", "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart"}) {
      for (const auto* key : {"x", "Spark Properties", "Task Info", "sparkPlanInfo", "modifiedConfigs"}) {
        // Either it is passed over, or it is a broken line.
        with_line(fmt::format(R"({{"Event":"{}","{}":{}}})", event, key, value));
      }
    }
  }
}

std::string plan_line(int depth) {
  return R"({"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart","executionId":0,"time":1,"sparkPlanInfo":)" +
         nested(R"({"nodeName":"Project","simpleString":"p","metadata":{},"metrics":[],"children":[)", "]}", depth) + "}";
}

TEST(HostileLog, MayHoldAPlanOfAnyDepth) {
  const auto shallow = read_bytes(lines({log_start(), application_start(), plan_line(700), application_end()}));
  ASSERT_TRUE(shallow);
  ASSERT_EQ(shallow->executions.size(), 1U);
  EXPECT_EQ(shallow->executions[0].plan.size(), 700U);
  const auto deep = read_bytes(lines({log_start(), application_start(), plan_line(100'000), application_end()}));
  ASSERT_TRUE(deep);
  EXPECT_LT(deep->executions.at(0).plan.size(), 1000U) << "what is below is left out";
}

TEST(HostileLog, MayNestTheScopeOfAnRdd) {
  const auto scope = nested(R"({\"id\":\"1\",\"name\":\"s\",\"parent\":)", "}", 100'000, "{}");
  const StageLine stage{.tasks = 1, .more = R"(,"RDD Info":[{"RDD ID":1,"Name":"r","Scope":")" + scope + R"("}])"};
  const auto result = read_bytes(log_of_one_stage(stage, {{.index = 0}}));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->stages.at(0).tasks.succeeded, 1);
}

TEST(HostileLog, MayHoldNumbersBeyond64Bits) {
  for (const auto* number :
       {"9223372036854775808", "99999999999999999999999999", "-9223372036854775809", "1e400", "1.5", "0x10", "NaN", "--1"}) {
    const auto line = task_end({.index = 0, .input = 5});
    for (const auto* key : {"Stage ID", "Index", "Launch Time", "Bytes Read", "Remote Bytes Read"}) {
      auto broken = line;
      const auto at = broken.find(fmt::format("\"{}\":", key));
      ASSERT_NE(at, std::string::npos) << key;
      const auto begin = broken.find(':', at) + 1;
      broken.replace(begin, broken.find_first_of(",}", begin) - begin, number);
      EXPECT_EQ(codes_of(with_line(broken)), std::vector{"line-broken"s}) << broken;
    }
  }
}

TEST(HostileLog, SumsStayTheLargestNumberThereIs) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  const auto result =
      read_bytes(log_of_one_stage({.tasks = 3}, {{.index = 0, .input = kMost}, {.index = 1, .input = kMost}, {.index = 2, .input = 1}}));
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->evidence.complete());
  EXPECT_EQ(result->stages.at(0).totals[index_of(Metric::input_bytes)], kMost);
  const auto least = std::numeric_limits<std::int64_t>::min();
  const auto negative = read_bytes(log_of_one_stage({.tasks = 2}, {{.index = 0, .input = least}, {.index = 1, .input = least}}));
  EXPECT_EQ(negative->stages.at(0).totals[index_of(Metric::input_bytes)], least);
}

TEST(HostileLog, MayDeclareABillionTasks) {
  const auto result = read_bytes(log_of_one_stage({.tasks = 1'000'000'000}, {{.index = 0}, {.index = 999'999'999}}));
  ASSERT_TRUE(result);
  EXPECT_EQ(codes_of(*result), std::vector{"tasks-missing"s});
  EXPECT_EQ(result->stages.at(0).tasks.declared, 1'000'000'000);
  EXPECT_EQ(result->stages.at(0).tasks.succeeded, 2);
}

TEST(HostileLog, MayHoldTheHighestPartitions) {
  std::vector<TaskLine> tasks;
  constexpr int kMost = std::numeric_limits<int>::max();
  for (int i = 0; i < 1000; ++i) {
    tasks.push_back({.index = i, .partition = kMost - i * 2'000'003, .shuffle_read = i});
  }
  const auto result = read_bytes(log_of_one_stage({.tasks = 1000}, tasks));
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->evidence.complete());
  EXPECT_EQ(result->stages.at(0).tasks.succeeded, 1000);
  EXPECT_EQ(result->stages.at(0).totals[index_of(Metric::shuffle_read_bytes)], 999 * 1000 / 2);
  EXPECT_EQ(result->stages.at(0).winners.partitions[0], kMost);
}

TEST(HostileLog, MayHoldInvalidUtf8) {
  for (const auto& bytes : {"\xC3\x28"s, "\xFF"s, "\xED\xA0\x80"s, "\xF5\x80\x80\x80"s, "\x80"s, "\xE2\x82"s}) {
    EXPECT_EQ(codes_of(with_line(R"({"Event":"SparkListenerApplicationEnd","x":")" + bytes + "\"}")), std::vector{"line-broken"s});
    with_line(bytes);
    with_line(R"({"Event":")" + bytes + "\"}");
  }
}

TEST(HostileLog, MayHoldNulBytes) {
  EXPECT_EQ(codes_of(with_line(std::string(1, '\0'))), std::vector{"line-broken"s});
  EXPECT_EQ(codes_of(with_line(std::string(100'000, '\0'))), std::vector{"line-broken"s});
  EXPECT_EQ(codes_of(with_line("{\"Event\":\"SparkListenerApplicationEnd\",\"x\":\"\0\"}"s)), std::vector{"line-broken"s});
  EXPECT_EQ(codes_of(with_line("{\"Event\":\"SparkListenerTaskStart\",\"x\":\"\0\"}"s)), std::vector{"line-broken"s});
  const auto only = read_bytes(std::string(10'000, '\0'));
  ASSERT_FALSE(only);
  EXPECT_EQ(only.error().kind, ErrorKind::evidence);
}

TEST(HostileLog, MayHoldManySparseStages) {
  std::string ids;
  std::string infos;
  for (std::int64_t i = 0; i < 100'000; ++i) {
    ids += fmt::format("{}{}", i == 0 ? "" : ",", i * 21'470);
  }
  const auto job = R"({"Event":"SparkListenerJobStart","Job ID":9000000000000000000,"Submission Time":1,"Stage IDs":[)" + ids + "]}";
  const auto result = read_bytes(lines({log_start(), application_start(), job, job_end(0), application_end()}));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->stages.size(), 100'000U);
  EXPECT_FALSE(result->evidence.complete());
}

TEST(HostileLog, MayHoldManySparseJobs) {
  auto log = lines({log_start(), application_start()});
  for (std::int64_t i = 0; i < 200'000; ++i) {
    log += fmt::format("{{\"Event\":\"SparkListenerJobStart\",\"Job ID\":{},\"Stage IDs\":[]}}\n", i * 46'116'860'184'273);
    log += fmt::format("{{\"Event\":\"SparkListenerJobEnd\",\"Job ID\":{},\"Job Result\":{{\"Result\":\"JobSucceeded\"}}}}\n",
                       i * 46'116'860'184'273);
  }
  const auto result = read_bytes(log + lines({application_end()}));
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->evidence.complete());
  EXPECT_EQ(result->jobs.size(), 200'000U);
}

TEST(HostileLog, MayHoldAHundredThousandAccumulators) {
  std::string accumulables;
  for (int i = 100'000; i > 0; --i) {
    accumulables +=
        fmt::format(R"({}{{"ID":{},"Name":"n{}","Value":"{}","Metadata":"sql"}})", accumulables.empty() ? "" : ",", i * 7, i, i);
  }
  const auto result = read_bytes(log_of_one_stage({.tasks = 1, .more = ",\"Accumulables\":[" + accumulables + "]"}, {{.index = 0}}));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->stages.at(0).accumulators.size(), 100'000U);
  EXPECT_EQ(result->accumulator_values.size(), 100'000U);
  EXPECT_EQ(result->accumulator_values.back(), (AccumulatorValue{700'000, 100'000}));
}

TEST(HostileLog, MayHoldAMillionEmptyLines) {
  const auto log = log_of_one_stage({.tasks = 1}, {{.index = 0}});
  for (const auto& empty : {"\n"s, "\r\n"s, " \t\n"s}) {
    std::string many;
    for (int i = 0; i < 1'000'000; ++i) {
      many += empty;
    }
    auto longer = log;
    longer.insert(longer.find('\n') + 1, many);
    const auto result = read_bytes(longer);
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->evidence.complete());
    EXPECT_EQ(result->evidence.lines->all, 1'000'000 + std::count(log.begin(), log.end(), '\n'));
    EXPECT_EQ(describe(*result, EvidencePart::without), describe(*read_bytes(log), EvidencePart::without));
  }
}

TEST(HostileLog, MayEndItsLinesAsWindowsDoes) {
  for (const auto* log : {&real_log(), &busy_log()}) {
    std::string windows;
    for (const char c : *log) {
      windows += c == '\n' ? "\r\n"s : std::string(1, c);
    }
    EXPECT_EQ(describe(*read_bytes(windows)), truth_of(*log));
    EXPECT_EQ(describe(*read_bytes(windows, all_of(3), 1001)), truth_of(*log));
  }
}

// A line of BYTES, made as it is read.
class LongLineSource : public ByteSource {
 public:
  LongLineSource(std::string before, std::uint64_t bytes, std::string after)
      : before_(std::move(before)), left_(bytes), after_(std::move(after)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    if (const auto count = before_.read(buffer); *count > 0) {
      return count;
    }
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, buffer.size()));
    std::fill_n(buffer.begin(), count, 'x');
    left_ -= count;
    return count > 0 ? Result<std::size_t>(count) : after_.read(buffer);
  }

 private:
  MemorySource before_;
  std::uint64_t left_;
  MemorySource after_;
};

// Around the limit, and far above it.
TEST(HostileLog, MayHoldALineOfAnyLength) {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;
  const auto log = log_of_one_stage({.tasks = 1}, {{.index = 0}});
  const auto half = log.find('\n', log.size() / 2) + 1;
  const auto open = R"({"Event":"SparkListenerTaskStart","x":")"s;
  const auto read = [&](std::uint64_t bytes, int threads) {
    return read_log_file(std::make_unique<LongLineSource>(log.substr(0, half) + open, bytes - open.size() - 2, "\"}\n" + log.substr(half)),
                         "local-1", all_of(threads));
  };
  for (const int threads : {1, 2, 3}) {
    for (const auto bytes : {128 * kMiB, 128 * kMiB + 1, 300 * kMiB}) {
      const auto result = read(bytes, threads);
      ASSERT_TRUE(result);
      EXPECT_EQ(codes_of(*result), bytes <= 128 * kMiB ? std::vector<std::string>() : std::vector{"line-broken"s})
          << bytes << " " << threads;
      EXPECT_EQ(describe(*result, EvidencePart::without), describe(*read_bytes(log), EvidencePart::without));
    }
  }
}

}  // namespace
}  // namespace stagegate
