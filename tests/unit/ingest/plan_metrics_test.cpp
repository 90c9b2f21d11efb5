// The metrics of a plan's nodes, as Spark writes them and in every other way that JSON allows.
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "unit/ingest/spark_lines.h"

namespace stagegate {
namespace {

using Metrics = std::vector<std::tuple<std::string, std::int64_t, std::string>>;  // name, accumulator, type

// What an application knows of the metrics of a plan with one node for each of NODES, which are its arrays of metrics.
std::vector<Metrics> read_metrics(const std::vector<std::string>& nodes) {
  std::vector<std::string> children;
  children.reserve(nodes.size());
  for (const auto& metrics : nodes) {
    children.push_back(fmt::format(R"({{"nodeName":"N","simpleString":"n","children":[],"metadata":{{}},"metrics":{}}})", metrics));
  }
  const auto application = read_text(lines({fmt::format(
      R"({{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveExecutionUpdate","executionId":1,"physicalPlanDescription":"",)"
      R"("sparkPlanInfo":{{"nodeName":"Top","simpleString":"t","children":[{}],"metadata":{{}},"metrics":[]}}}})",
      join(children, ","))}));
  std::vector<Metrics> read;
  if (!application || application->executions.size() != 1 || application->evidence.lines.value_or(LineCounts()).malformed > 0) {
    return read;
  }
  const auto& known = application->plan_metric_names;
  const auto& plan = application->executions[0].plan;
  for (std::size_t node = 1; node < plan.size(); ++node) {
    auto& metrics = read.emplace_back();
    for (std::size_t i = 0; i < plan[node].metrics.size(); ++i) {
      const auto& metric = plan[node].metrics[i];
      metrics.emplace_back(known[metric.name], plan[node].accumulators[i], known[metric.type]);
    }
  }
  return read;
}

TEST(PlanMetrics, AreReadAsSparkWritesThem) {
  const auto rows = R"({"name":"number of output rows","accumulatorId":7,"metricType":"sum"})";
  const auto time = R"({"name":"sort time","accumulatorId":8123456789,"metricType":"timing"})";
  const auto none = R"({"name":"","accumulatorId":0,"metricType":""})";
  const Metrics::value_type all_rows{"number of output rows", 7, "sum"};
  const Metrics::value_type all_time{"sort time", 8'123'456'789, "timing"};
  EXPECT_EQ(
      read_metrics({"[]", fmt::format("[{},{}]", rows, time), fmt::format("[{},{},{}]", time, rows, none), fmt::format("[{}]", rows)}),
      (std::vector<Metrics>{{}, {all_rows, all_time}, {all_time, all_rows, {"", 0, ""}}, {all_rows}}));
}

// Between nodes whose metrics are written as usual, so that what is expected to come next does come, or something like it.
TEST(PlanMetrics, AreTheSameHoweverTheyAreWritten) {
  const auto usual = R"([{"name":"a\\b","accumulatorId":1,"metricType":"sum"},{"name":"sizes","accumulatorId":2,"metricType":"size"}])";
  const Metrics known{{"a\\b", 1, "sum"}, {"sizes", 2, "size"}};
  const std::vector<std::pair<std::string, Metrics>> ways{
      {R"([ {"name": "sizes" , "accumulatorId" : 3, "metricType" : "size"} ])", {{"sizes", 3, "size"}}},
      {R"([{"accumulatorId":3,"metricType":"size","name":"sizes"}])", {{"sizes", 3, "size"}}},
      {R"([{"name":"sizes","accumulatorId":3,"metricType":"size","more":[1,{"name":"x"}]}])", {{"sizes", 3, "size"}}},
      {R"([{"name":"siz\u0065s","accumulatorId":3,"metricType":"size"}])", {{"sizes", 3, "size"}}},
      {R"([{"name":"a\b","accumulatorId":3,"metricType":"size"}])", {{"a\b", 3, "size"}}},
      {R"([{"name":"größe","accumulatorId":-3,"metricType":"sizes"}])", {{"größe", -3, "sizes"}}},
      {R"([{"name":"size","accumulatorId":3,"metricType":"sizes of all"}])", {{"size", 3, "sizes of all"}}},
      {R"([{"name":"sizes","accumulatorId":9223372036854775807,"metricType":"size"}])", {{"sizes", 9'223'372'036'854'775'807, "size"}}},
      {R"([{"name":"sizes","metricType":"size"},{"name":"sizes","accumulatorId":null,"metricType":"size"}])", {}},
      {R"([{"name":null,"accumulatorId":3,"metricType":null}])", {{"", 3, ""}}},
      {"null", {}},
      {"[ ]", {}},
      {fmt::format(R"([{{"name":"{0}","accumulatorId":3,"metricType":"sum"}},{{"name":"{0}","accumulatorId":4,"metricType":"sum"}}])",
                   std::string(200, 'n')),
       {{std::string(200, 'n'), 3, "sum"}, {std::string(200, 'n'), 4, "sum"}}},
  };
  for (const auto& [way, metrics] : ways) {
    EXPECT_EQ(read_metrics({usual, way, usual, way, way, usual}), (std::vector<Metrics>{known, metrics, known, metrics, metrics, known}))
        << way;
  }
}

TEST(PlanMetrics, OfEveryLengthOfNameAreKeptApart) {
  std::vector<std::string> elements;
  Metrics expected;
  for (int round = 0; round < 2; ++round) {
    for (std::size_t size = 0; size <= 70; ++size) {
      for (const char last : {'x', 'y'}) {
        auto name = std::string(size, 'x') + last;
        const auto id = static_cast<std::int64_t>(elements.size());
        elements.push_back(fmt::format(R"({{"name":"{}","accumulatorId":{},"metricType":"sum"}})", name, id));
        expected.emplace_back(std::move(name), id, "sum");
      }
    }
  }
  EXPECT_EQ(read_metrics({fmt::format("[{}]", join(elements, ","))}), (std::vector<Metrics>{expected}));
}

TEST(PlanMetrics, ThatAreNoJsonMakeTheLineBroken) {
  const std::string good = R"({"name":"rows","accumulatorId":1,"metricType":"sum"})";
  ASSERT_EQ(read_metrics({fmt::format("[{0},{0}]", good)}).size(), 1U);
  for (const auto* bad :
       {R"({"name":"rows","accumulatorId":01,"metricType":"sum"})", R"({"name":"rows","accumulatorId":,"metricType":"sum"})",
        R"({"name":"rows","accumulatorId":1.5,"metricType":"sum"})", R"({"name":"rows","accumulatorId":"1","metricType":"sum"})",
        R"({"name":"rows","accumulatorId":1,"metricType":"sum")", R"({"name":"ro\qws","accumulatorId":1,"metricType":"sum"})",
        R"({"name":"rows","accumulatorId":1,"metricType":sum})", R"("rows")"}) {
    EXPECT_TRUE(read_metrics({fmt::format("[{},{}]", good, bad)}).empty()) << bad;
    EXPECT_TRUE(read_metrics({fmt::format("[{},{}]", bad, good)}).empty()) << bad;
  }
  EXPECT_TRUE(read_metrics({fmt::format("[{},]", good)}).empty());
  EXPECT_TRUE(read_metrics({fmt::format("[{0}{0}]", good)}).empty());
}

}  // namespace
}  // namespace stagegate
