// Both ways to read a plan say the same of every line: the one for plans as Spark writes them, and the parser of JSON, to which a line
// goes that has a blank where Spark writes none.
#include "ingest/plan_reader.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ingest/event_parser.h"
#include "ingest/line_splitter.h"

namespace stagegate {
namespace {

constexpr std::string_view kBehindTheEvent = R"("executionId":)";

std::string line_of(const std::string& plan, const std::string& description = "== Plan ==\\n\\\"*(1) Sort\\\" \\u001f") {
  return fmt::format(
      R"({{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveExecutionUpdate","executionId":12,"physicalPlanDescription":"{}","sparkPlanInfo":{}}})",
      description, plan);
}

std::string node(const std::string& name, const std::string& children = "", const std::string& metadata = "",
                 const std::string& metrics = "") {
  return fmt::format(R"({{"nodeName":"{}","simpleString":"{} [k#1]","children":[{}],"metadata":{{{}}},"metrics":[{}]}})", name, name,
                     children, metadata, metrics);
}

const std::string kRows = R"({"name":"number of output rows","accumulatorId":7,"metricType":"sum"})";
const std::string kTime = R"({"name":"sort time","accumulatorId":812,"metricType":"timing"})";

// All that was read of it, or how it failed. What lies behind a line may be anything.
std::string read_line(EventParser& parser, const std::string& line) {
  const std::string bytes = line + "\n" + std::string(kLinePadding, '"');
  Event event;
  const auto kind = parser.parse(std::string_view(bytes).substr(0, line.size()), event);
  const auto* update = std::get_if<SqlAdaptiveUpdate>(&event);
  if (kind != LineKind::event || update == nullptr) {
    return fmt::format("kind {}", static_cast<int>(kind));
  }
  auto text = fmt::format("execution {}\n", update->id);
  const auto name = [&](std::uint16_t index) { return update->plan.metric_names.at(index); };
  for (const auto& node : update->plan.nodes) {
    text += fmt::format("{} / {} /", node.name, node.simple_string);
    for (const auto child : node.children) {
      text += fmt::format(" {}", child);
    }
    for (const auto& entry : node.metadata) {
      text += fmt::format(" {}={}", entry.key, entry.value);
    }
    for (std::size_t i = 0; i < node.metrics.size(); ++i) {
      text += fmt::format(" {}:{}:{}", name(node.metrics[i].name), node.accumulators[i], name(node.metrics[i].type));
    }
    text += "\n";
  }
  for (const auto id : update->plan.accumulators) {
    text += fmt::format(" {}", id);
  }
  return text;
}

bool is_read_as_usual(const std::string& line) {
  const std::string bytes = line + "\n" + std::string(kLinePadding, '"');
  return read_usual_update(std::string_view(bytes).substr(0, line.size())).has_value();
}

// With a blank behind the colon of the execution's id, which no text of these tests has.
std::string for_the_json_parser(const std::string& line) {
  const auto at = line.find(kBehindTheEvent);
  return at == std::string::npos ? line : std::string(line).insert(at + kBehindTheEvent.size(), " ");
}

void expect_same(EventParser& parser, const std::string& line) {
  EXPECT_FALSE(is_read_as_usual(for_the_json_parser(line)));
  EXPECT_EQ(read_line(parser, line), read_line(parser, for_the_json_parser(line))) << line;
}

const std::string kPlan =
    node("AdaptiveSparkPlan",
         node("Sort", node("Scan", "", R"("Location":"file:/a","Format":"Parquet","Location":"b")", kRows + "," + kTime), "", kTime) + "," +
             node("Exchange"));

TEST(PlanReader, TakesAPlanAsSparkWritesIt) {
  EventParser parser;
  EXPECT_TRUE(is_read_as_usual(line_of(kPlan)));
  EXPECT_EQ(read_line(parser, line_of(kPlan)),
            "execution 12\n"
            "AdaptiveSparkPlan / AdaptiveSparkPlan [k#1] / 1 3\n"
            "Sort / Sort [k#1] / 2 sort time:812:timing\n"
            "Scan / Scan [k#1] / Format=Parquet Location=b number of output rows:7:sum sort time:812:timing\n"
            "Exchange / Exchange [k#1] /\n"
            " 7 812");
  expect_same(parser, line_of(kPlan));
}

TEST(PlanReader, SaysTheSameOfWhatIsWrittenOtherwise) {
  EventParser parser;
  for (const auto& plan : {std::string("null"), std::string("{}"), std::string("[]"), node("größe"), node("a\\nb"), node("a\\u0041b"),
                           node("\x7F"), node("\xFF"), node("a\tb"), node("a", "", R"("k":null)"), node("a", "", R"("k":1,"l":"m")"),
                           node("a", "", R"("\u006b":"v")"), node("a", "null"), node("a", node("b") + ","), node("a", "", "", "null"),
                           node("a", "", "", kRows + ","), kPlan + ",\"more\":1", kPlan + "}", kPlan + " "}) {
    expect_same(parser, line_of(plan));
  }
  for (const auto* description : {"", "größe", "\xFF", "a\tb", "\\", "\\\\", "\\\"", "\\q", "a\"b", "\x7F"}) {
    expect_same(parser, line_of(kPlan, description));
  }
  // A text that ends at every place of a word.
  for (std::size_t size = 0; size < 40; ++size) {
    expect_same(parser, line_of(kPlan, std::string(size, 'd')));
    expect_same(parser, line_of(kPlan, std::string(size, 'd') + "\\n" + std::string(size, 'e')));
    expect_same(parser, line_of(node(std::string(size, 'n'))));
  }
}

TEST(PlanReader, SaysTheSameOfALineThatIsCutOrDamagedAnywhere) {
  EventParser parser;
  const auto line = line_of(kPlan);
  const auto begin = line.find(kBehindTheEvent) + kBehindTheEvent.size();
  for (std::size_t place = begin; place < line.size(); ++place) {
    expect_same(parser, line.substr(0, place));
    for (const char damage : {'"', '\\', '{', '}', '[', ']', ',', ':', '0', ' ', 'x', '\x01', '\xE9'}) {
      auto damaged = line;
      damaged[place] = damage;
      expect_same(parser, damaged);
    }
    expect_same(parser, std::string(line).erase(place, 1));
  }
}

TEST(PlanReader, LeavesOutWhatIsTooDeep) {
  EventParser parser;
  for (const int depth : {799, 800, 801, 900}) {
    std::string plan = node("leaf");
    for (int i = 1; i < depth; ++i) {
      plan = node("n", plan);
    }
    expect_same(parser, line_of(plan));
  }
}

}  // namespace
}  // namespace stagegate
