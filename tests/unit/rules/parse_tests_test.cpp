#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "rules/rule.h"
#include "unit/rules/rule_text.h"

namespace stagegate {
namespace {

using testing::rule_with;

std::string error_of(const std::string& text) {
  const auto rule = parse_rule(text, "r.toml");
  return rule ? std::string() : rule.error().message;
}

// The names of the first test, whose stage and more is TEXT.
std::map<std::string, double> names_of_test(std::string_view text) {
  const auto rule = parse_rule(rule_with("stage = { tasks = 101 }", text), "r.toml");
  EXPECT_TRUE(rule) << rule.error().message;
  return rule ? rule->tests.front().names : std::map<std::string, double>();
}

TEST(ParseTests, TakesTheDistributionOfAnArrayAndItsLengthAsTasks) {
  EXPECT_EQ(names_of_test("stage = { shuffle_read = [4, 1, 2, 3] }"), (std::map<std::string, double>{
                                                                          {"shuffle_read.min", 1},
                                                                          {"shuffle_read.p25", 1.75},
                                                                          {"shuffle_read.median", 2.5},
                                                                          {"shuffle_read.p75", 3.25},
                                                                          {"shuffle_read.max", 4},
                                                                          {"shuffle_read.sum", 10},
                                                                          {"tasks", 4},
                                                                          {"failed", 0},
                                                                          {"killed", 0},
                                                                          {"attempts", 1},
                                                                      }));
}

TEST(ParseTests, ANumberIsASumAndSizesHaveUnits) {
  const auto names = names_of_test(
      "stage = { output = \"1.5 KiB\", input = [\"1 KiB\", 24], tasks = 7, cores = 4, failed = 1, killed = 2, attempts = 3, "
      "wasted = { input = \"2 KiB\", output_records = 5 } }");
  EXPECT_EQ(names.at("output.sum"), 1536);
  EXPECT_EQ(names.count("output.max"), 0U);
  EXPECT_EQ(names.at("input.sum"), 1048);
  EXPECT_EQ(names.at("tasks"), 7);
  EXPECT_EQ(names.at("cores"), 4);
  EXPECT_EQ(names.at("failed"), 1);
  EXPECT_EQ(names.at("killed"), 2);
  EXPECT_EQ(names.at("attempts"), 3);
  EXPECT_EQ(names.at("wasted.input"), 2048);
  EXPECT_EQ(names.at("wasted.output_records"), 5);
}

TEST(ParseTests, ABaselineHasSums) {
  const auto names = names_of_test("stage = { tasks = 101 }\nbaseline = { shuffle_write = [10, 20], output = \"1 KiB\" }");
  EXPECT_EQ(names.at("baseline.shuffle_write.sum"), 30);
  EXPECT_EQ(names.at("baseline.output.sum"), 1024);
  EXPECT_EQ(names.at("baseline.tasks"), 2);
  EXPECT_EQ(names.at("tasks"), 101);
}

TEST(ParseTests, AStageIsNewWhereThereIsAnAcceptedRunWithoutIt) {
  EXPECT_EQ(names_of_test("stage = { tasks = 101 }").count("is_new"), 0U);
  EXPECT_EQ(names_of_test("stage = { tasks = 101 }\nbaseline = { tasks = 1 }").at("is_new"), 0);
  const auto names = names_of_test(
      "stage = { tasks = 101, shuffled_joins = 2 }\nrun = { cache_reads = 3 }\nbaseline_run = { shuffle_read = \"1 KiB\", cache_reads = 4 "
      "}");
  EXPECT_EQ(names.at("is_new"), 1);
  EXPECT_EQ(names.at("shuffled_joins"), 2);
  EXPECT_EQ(names.count("broadcast_joins"), 0U);
  EXPECT_EQ(names.at("run.cache_reads"), 3);
  EXPECT_EQ(names.at("baseline.run.shuffle_read.sum"), 1024);
  EXPECT_EQ(names.at("baseline.run.cache_reads"), 4);
}

struct Case {
  std::string_view to;
  std::string error;
};

class TestMistake : public ::testing::TestWithParam<Case> {};

// In place of line 24, the stage of the first test.
TEST_P(TestMistake, IsToldWithItsPlace) {
  EXPECT_EQ(error_of(rule_with("stage = { tasks = 101 }", GetParam().to)), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Stage, TestMistake,
    ::testing::Values(
        Case{"", "r.toml:20:1: 'stage' is missing in [[test]]"},  //
        Case{"stage = 5", "r.toml:24:9: 'stage' must be a table, not an integer"},
        Case{"stage = { shufle_read = [1] }", "r.toml:24:11: unknown key 'shufle_read' in 'stage'; did you mean 'shuffle_read'?"},
        Case{"stage = { duration_ms = [1] }", "r.toml:24:11: unknown key 'duration_ms' in 'stage'"},
        Case{"stage = { input = [] }", "r.toml:24:19: 'input' has no value; leave it out where the metric is missing"},
        Case{"stage = { input = [1, -2] }", "r.toml:24:23: 'input' must be 0 or more, not -2"},
        Case{"stage = { input = [1, 2.5] }", "r.toml:24:23: 'input' must be a number of bytes or a size, not a float"},
        Case{"stage = { input = true }", "r.toml:24:19: 'input' must be a number of bytes or a size, not a boolean"},
        Case{"stage = { input = [\"5\"] }",
             "r.toml:24:20: 'input': '5' has no unit; write one of B, kB, MB, GB, TB, KiB, MiB, GiB, TiB behind the number"},
        Case{"stage = { input_records = [\"5 B\"] }", "r.toml:24:28: 'input_records' must be an integer, not a string"},
        Case{"stage = { tasks = 1.5 }", "r.toml:24:19: 'tasks' must be an integer, not a float"},
        Case{"stage = { input = [1, 2], output = [1] }",
             "r.toml:24:1: the arrays of 'stage' differ in length; say how many tasks there are"},
        Case{"stage = { wasted = { inptu = 5 } }", "r.toml:24:22: unknown key 'inptu' in wasted; did you mean 'input'?"},
        Case{"stage = { tasks = 101 }\nbaseline = { input = 5 }", "r.toml:25:14: unknown key 'input' in 'baseline'"},
        Case{"stage = { tasks = 101 }\nparameters = { limti = 5 }",
             "r.toml:25:16: unknown key 'limti' in parameters; did you mean 'limit'?"},
        Case{"stage = { tasks = 101 }\nparameters = { limit = \"5\" }", "r.toml:25:24: 'limit' must be a number, not the text \"5\""},
        Case{"stage = { tasks = 101 }\nother = 5", "r.toml:25:1: unknown key 'other' in [[test]]"}));

TEST(ParseTests, BothKindsOfTestAreNeeded) {
  EXPECT_EQ(error_of(rule_with("fires = false", "fires = true")), "r.toml:20:3: there is no test in which the rule does not fire");
  EXPECT_EQ(error_of(rule_with("fires = true\nvalue = 101", "fires = false")), "r.toml:20:3: there is no test in which the rule fires");
}

TEST(ParseTests, AValueIsExpectedOnlyWhereTheRuleFires) {
  EXPECT_EQ(error_of(rule_with("fires = false", "fires = false\nvalue = 3")),
            "r.toml:26:1: a test in which the rule does not fire has no 'value'");
}

TEST(ParseTests, NameAndFiresAreNeeded) {
  EXPECT_EQ(error_of(rule_with("name = \"over\"\nfires = true\nvalue = 101\n", "")),
            "r.toml:20:1: 'name' is missing in [[test]]\n"
            "r.toml:20:1: 'fires' is missing in [[test]]\n"
            "r.toml:20:3: there is no test in which the rule fires");
}

TEST(RunRuleTests, NamesEachFailingTestWithItsLine) {
  auto text = rule_with("tasks = 101", "tasks = 99");
  text = rule_with("stage = { tasks = 100 }", "stage = { tasks = 100 }\nparameters = { limit = 99 }", text);
  const auto rule = parse_rule(text, "r.toml");
  ASSERT_TRUE(rule) << rule.error().message;
  const auto status = run_rule_tests(*rule);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::usage);
  EXPECT_EQ(status.error().message,
            "r.toml:20: test 'over': expected that the rule fires, but the rule does not fire\n"
            "r.toml:26: test 'at': expected that the rule does not fire, but the rule fires");
}

TEST(RunRuleTests, ComparesTheValueInThousandths) {
  const auto with_value = [](std::string_view value) { return run_rule_tests(*parse_rule(rule_with("value = 101", value), "r.toml")); };
  EXPECT_TRUE(with_value("value = 101.0004"));
  ASSERT_FALSE(with_value("value = 101.5"));
  EXPECT_EQ(with_value("value = 101.5").error().message, "r.toml:20: test 'over': expected the value 101.5, got 101");
}

TEST(RunRuleTests, DivisionByZeroAndAnUnknownValueAreFailures) {
  const auto error = [](std::string_view from, std::string_view to) {
    return run_rule_tests(*parse_rule(rule_with(from, to), "r.toml")).error().message;
  };
  EXPECT_EQ(error("tasks > limit", "tasks / failed > limit"),
            "r.toml:20: test 'over': 'when' divides by zero\n"
            "r.toml:26: test 'at': 'when' divides by zero");
  EXPECT_EQ(error("value = \"tasks\"", "value = \"tasks / failed\""), "r.toml:20: test 'over': 'value' divides by zero");
  EXPECT_EQ(error("value = \"tasks\"", "value = \"cores\""), "r.toml:20: test 'over': 'value' is unknown where 'when' is true");
}

TEST(ParseTests, TakesTheSmallestAndTheLargestOfSeveralRuns) {
  const auto names = names_of_test("stage = { tasks = 101 }\nruns = { shuffle_write = [\"2 KiB\", 1024], output_records = [5, 5] }");
  EXPECT_EQ(names.at("runs"), 2);
  EXPECT_EQ(names.at("runs.shuffle_write.min"), 1024);
  EXPECT_EQ(names.at("runs.shuffle_write.max"), 2048);
  EXPECT_EQ(names.at("runs.shuffle_write.spread"), 1024);
  EXPECT_EQ(names.at("runs.output_records.spread"), 0);
  EXPECT_FALSE(names.contains("runs.input_records.min"));
}

TEST(ParseTests, RunsAreAtLeastTwoAndAllMetricsHaveAsMany) {
  for (const auto* runs : {"{ shuffle_write = [1] }", "{ shuffle_write = [1, 2], output = [1, 2, 3] }", "{}"}) {
    EXPECT_NE(
        error_of(rule_with("stage = { tasks = 101 }", fmt::format("stage = {{ tasks = 101 }}\nruns = {}", runs))).find("one value a run"),
        std::string::npos)
        << runs;
  }
}

}  // namespace
}  // namespace stagegate
