#include <string>

#include <gtest/gtest.h>

#include "rules/rule.h"
#include "unit/rules/rule_text.h"

namespace stagegate {
namespace {

using testing::kRuleText;
using testing::rule_with;

// The error of a rule file, or "" where there is none.
std::string error_of(const std::string& text) {
  const auto rule = parse_rule(text, "r.toml");
  if (rule) {
    return {};
  }
  EXPECT_EQ(rule.error().kind, ErrorKind::usage);
  return rule.error().message;
}

TEST(ParseRule, RefusesAKeyOfThousandsOfParts) {
  std::string key = "a";
  for (int i = 0; i < 20'000; ++i) {
    key += ".a";
  }
  EXPECT_EQ(error_of("\n" + key + " = 1\n"), "r.toml:2:1: not TOML that can be meant: a key of more than 500 parts");
}

TEST(ParseRule, ReadsEveryKey) {
  const auto rule = parse_rule(kRuleText, "r.toml");
  ASSERT_TRUE(rule) << rule.error().message;
  EXPECT_EQ(rule->id, "wide");
  EXPECT_EQ(rule->scope, RuleScope::stage);
  EXPECT_EQ(rule->level, Level::warning);
  EXPECT_EQ(rule->title, "too many tasks");
  EXPECT_EQ(rule->summary, "There are many.");
  EXPECT_EQ(rule->why, "They cost.");
  EXPECT_EQ(rule->advice, "Use fewer.");
  EXPECT_EQ(rule->message, "{tasks} tasks (limit {limit})");
  EXPECT_EQ(rule->when, "tasks > limit");
  EXPECT_EQ(rule->value, "tasks");
  EXPECT_EQ(rule->unit, ValueUnit::count);
  EXPECT_EQ(rule->tolerance_thousandths, 250);
  EXPECT_EQ(rule->unless, std::vector<std::string>{"skew"});
  EXPECT_EQ(rule->file, "r.toml");
  ASSERT_EQ(rule->parameters.size(), 1U);
  EXPECT_EQ(rule->parameters[0].name, "limit");
  EXPECT_EQ(rule->parameters[0].unit, ParameterUnit::count);
  EXPECT_EQ(rule->parameters[0].value, 100);
  EXPECT_EQ(rule->parameters[0].help, "How many there may be.");
  EXPECT_EQ(rule->tests.size(), 2U);
}

TEST(ParseRule, ScopeLevelToleranceAndUnlessHaveDefaults) {
  auto text = rule_with("scope = \"stage\"\nlevel = \"warning\"\n", "");
  text = rule_with("tolerance = 0.25\nunless = [\"skew\"]\n", "", text);
  const auto rule = parse_rule(text, "r.toml");
  ASSERT_TRUE(rule) << rule.error().message;
  EXPECT_EQ(rule->scope, RuleScope::stage);
  EXPECT_EQ(rule->level, Level::error);
  EXPECT_EQ(rule->tolerance_thousandths, 0);
  EXPECT_TRUE(rule->unless.empty());
}

TEST(ParseRule, KeepsParametersInTheOrderOfTheFile) {
  const auto text =
      rule_with("[parameters.limit]", "[parameters.zeta]\ndefault = \"1.5 KiB\"\nunit = \"bytes\"\nhelp = \"z\"\n\n[parameters.limit]",
                rule_with("tasks > limit", "tasks > limit + zeta"));
  const auto rule = parse_rule(text, "r.toml");
  ASSERT_TRUE(rule) << rule.error().message;
  ASSERT_EQ(rule->parameters.size(), 2U);
  EXPECT_EQ(rule->parameters[0].name, "zeta");
  EXPECT_EQ(rule->parameters[0].value, 1536);
  EXPECT_EQ(rule->parameters[1].name, "limit");
}

TEST(ParseRule, ASyntaxErrorHasItsPlace) {
  EXPECT_EQ(error_of("id = \"x\"\ntitle = = 3\n").substr(0, 12), "r.toml:2:9: ");
}

TEST(ParseRule, AnEmptyFileLacksEverything) {
  EXPECT_EQ(error_of(""),
            "r.toml:1:1: 'id' is missing\n"
            "r.toml:1:1: 'unit' is missing\n"
            "r.toml:1:1: 'title' is missing\n"
            "r.toml:1:1: 'summary' is missing\n"
            "r.toml:1:1: 'why' is missing\n"
            "r.toml:1:1: 'advice' is missing\n"
            "r.toml:1:1: 'when' is missing\n"
            "r.toml:1:1: 'value' is missing\n"
            "r.toml:1:1: 'message' is missing\n"
            "r.toml:1:1: 'test' is missing");
}

struct Case {
  std::string_view from;
  std::string_view to;
  std::string error;
};

class Mistake : public ::testing::TestWithParam<Case> {};

TEST_P(Mistake, IsToldWithItsPlace) {
  EXPECT_EQ(error_of(rule_with(GetParam().from, GetParam().to)), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Head, Mistake,
    ::testing::Values(
        Case{"id = \"wide\"", "id = \"Wide\"", "r.toml:1:6: 'Wide' is no id: lower-case letters, digits and '-', a letter first"},
        Case{"id = \"wide\"", "id = 3", "r.toml:1:6: 'id' must be a string, not an integer"},
        Case{"\"stage\"", "\"stages\"", "r.toml:2:9: 'scope' must be one of stage, run, not 'stages'; did you mean 'stage'?"},
        Case{"\"warning\"", "\"warn\"", "r.toml:3:9: 'level' must be one of error, warning, off, not 'warn'"},
        Case{"\"too many tasks\"", "\"\"", "r.toml:4:9: 'title' is empty"},
        Case{"advice =", "advise =", "r.toml:1:1: 'advice' is missing\nr.toml:7:1: unknown key 'advise'; did you mean 'advice'?"},
        Case{"unit = \"count\"", "unit = \"times\"", "r.toml:11:8: 'unit' must be one of ratio, bytes, count, percent, not 'times'"},
        Case{"0.25", "-0.25", "r.toml:12:13: 'tolerance' must be 0 or more, not -0.25"},
        Case{"0.25", "nan", "r.toml:12:13: 'tolerance' must be 0 or more, not nan"},
        Case{"0.25", "2500", "r.toml:12:13: 'tolerance' is a fraction, 0.1 for a tenth more; 2500 is too large"},
        Case{"0.25", "\"10 %\"", "r.toml:12:13: 'tolerance' must be a number, not a string"},
        Case{"[\"skew\"]", "\"skew\"", "r.toml:13:10: 'unless' must be an array, not a string"},
        Case{"[\"skew\"]", "[\"skew\", 5]", "r.toml:13:19: 'unless' must hold ids of rules, not an integer"},
        Case{"[\"skew\"]", "[\"wide\"]", "r.toml:13:11: a rule cannot silence itself"},
        Case{"unless = [\"skew\"]", "first_only = 1", "r.toml:13:14: 'first_only' must be true or false, not an integer"}));

INSTANTIATE_TEST_SUITE_P(
    Expressions, Mistake,
    ::testing::Values(Case{"\"tasks > limit\"", "\"task > limit\"", "r.toml:9:9: 'when': unknown name 'task'; did you mean 'tasks'?"},
                      Case{"\"tasks > limit\"", "\"tasks > limit && shufle_read.max > 1\"",
                           "r.toml:9:26: 'when': unknown name 'shufle_read.max'; did you mean 'shuffle_read.max'?"},
                      Case{"\"tasks > limit\"", "\"\"\"\ntasks > limit\n  && tusks > 1\"\"\"",
                           "r.toml:11:6: 'when': unknown name 'tusks'; did you mean 'tasks'?"},
                      Case{"\"tasks > limit\"", "\"tasks > limit \\u0026\\u0026 tusks > 1\"",
                           "r.toml:9:8: 'when': unknown name 'tusks'; did you mean 'tasks'?"},
                      Case{"\"tasks > limit\"", "\"tasks = limit\"",
                           "r.toml:9:15: 'when': '=' is not an operator: nothing can be assigned; write '==' to compare"},
                      Case{"\"tasks > limit\"", "\"tasks > limit && duration_ms.max > 5\"",
                           "r.toml:9:26: 'when': 'duration_ms.max' is a time; rules judge bytes and counts, never seconds"},
                      Case{"\"tasks > limit\"", "\"tasks > limit && baseline.input.sum > 5\"",
                           "r.toml:9:26: 'when': 'baseline.input.sum' is never known: baselines do not keep input"},
                      Case{"\"tasks > limit\"", "\"tasks > limit && stages > 5\"", "r.toml:9:26: 'when': unknown name 'stages'"},
                      Case{"\"tasks > limit\"", "5",
                           "r.toml:9:8: 'when' must be a string, not an integer\n"
                           "r.toml:15:13: parameter 'limit' is used neither in 'when' nor in 'value'"},
                      Case{"value = \"tasks\"", "value = \"value\"", "r.toml:10:10: 'value': unknown name 'value'"},
                      Case{"value = \"tasks\"", "value = \"max(tasks\"", "r.toml:10:19: 'value': a ')' is missing"},
                      Case{"value = \"tasks\"", "value = \"\"", "r.toml:10:10: 'value': the expression is empty"},
                      Case{"{tasks} tasks", "{task} tasks", "r.toml:8:13: 'message': unknown name 'task'; did you mean 'tasks'?"},
                      Case{"{tasks} tasks", "{tasks tasks", "r.toml:8:12: 'message': '{' has no '}'; write '{{' for the bracket itself"},
                      Case{"{tasks} tasks", "{tasks}\\ntasks", "r.toml:8:11: 'message' must be one line"},
                      Case{"\"{tasks} tasks (limit {limit})\"", "\" \"", "r.toml:8:11: 'message' is empty"},
                      Case{"scope = \"stage\"", "scope = \"run\"",
                           "r.toml:20:1: 'run' is missing in [[test]]\nr.toml:24:1: unknown key 'stage' in [[test]]\n"
                           "r.toml:26:1: 'run' is missing in [[test]]\nr.toml:29:1: unknown key 'stage' in [[test]]"}));

INSTANTIATE_TEST_SUITE_P(
    Parameters, Mistake,
    ::testing::Values(
        Case{"parameters.limit", "parameters.Limit",
             "r.toml:8:34: 'message': unknown name 'limit'; did you mean 'Limit'?\n"
             "r.toml:9:17: 'when': unknown name 'limit'; did you mean 'Limit'?\n"
             "r.toml:15:13: 'Limit' is no name for a parameter: lower-case letters, digits and '_', a letter first\n"
             "r.toml:15:13: parameter 'Limit' is used neither in 'when' nor in 'value'"},
        Case{"default = 100", "default = \"100\"", "r.toml:16:11: 'default' must be a number, not the text \"100\""},
        Case{"default = 100", "default = -1", "r.toml:16:11: 'default' must not be negative, but is -1"},
        Case{"default = 100", "default = 2.5", "r.toml:16:11: 'default' is a count: 2.5 is no whole number"},
        Case{"default = 100", "default = inf", "r.toml:16:11: 'default' must be a finite number, not inf"},
        Case{"default = 100", "default = [1]", "r.toml:16:11: 'default' must be a number, not an array"},
        Case{"default = 100", "defualt = 100",
             "r.toml:15:13: 'default' is missing in [parameters.limit]\n"
             "r.toml:16:1: unknown key 'defualt' in [parameters.limit]; did you mean 'default'?"},
        Case{"default = 100\nunit = \"count\"", "default = 100\nunit = \"bytes\"",
             "r.toml:16:11: 'default' is a size: write it with a unit, such as \"1 MiB\"; 100 has none"},
        Case{"default = 100\nunit = \"count\"", "default = \"1 XB\"\nunit = \"bytes\"",
             "r.toml:16:11: 'default' is a size: '1 XB' has the unknown unit 'XB'; known are B, kB, MB, GB, TB, KiB, MiB, GiB, TiB"},
        Case{"default = 100\nunit = \"count\"", "default = 100\nunit = \"percent\"",
             "r.toml:17:8: 'unit' must be one of ratio, bytes, count, not 'percent'"},
        Case{"help = \"How many there may be.\"", "", "r.toml:15:13: 'help' is missing in [parameters.limit]"},
        Case{"[parameters.limit]", "[parameters.override]\ndefault = 1\nunit = \"count\"\nhelp = \"x\"\n[parameters.limit]",
             "r.toml:15:13: a parameter cannot be called 'override': [rules.ID] of the manifest has a key of that name\n"
             "r.toml:15:13: parameter 'override' is used neither in 'when' nor in 'value'"},
        Case{"[parameters.limit]", "[parameters.failed]\ndefault = 1\nunit = \"count\"\nhelp = \"x\"\n[parameters.limit]",
             "r.toml:15:13: a parameter cannot be called 'failed': the name is taken\n"
             "r.toml:15:13: parameter 'failed' is used neither in 'when' nor in 'value'"},
        Case{"[parameters.limit]", "[parameters]\nother = 5\n[parameters.limit]",
             "r.toml:16:9: parameter 'other' must be a table, [parameters.other], not an integer"}));

TEST(ParseRule, AllMistakesAreToldAtOnceInTheOrderOfTheFile) {
  auto text = rule_with("tasks > limit", "tusks > limit");
  text = rule_with("{tasks} tasks", "{tosks} tasks", text);
  text = rule_with("level = \"warning\"", "level = \"loud\"", text);
  text = rule_with("fires = false", "fires = \"no\"", text);
  EXPECT_EQ(error_of(text),
            "r.toml:3:9: 'level' must be one of error, warning, off, not 'loud'\n"
            "r.toml:8:13: 'message': unknown name 'tosks'; did you mean 'tasks'?\n"
            "r.toml:9:9: 'when': unknown name 'tusks'; did you mean 'tasks'?\n"
            "r.toml:28:9: 'fires' must be true or false, not a string");
}

TEST(ParseRule, ARuleOfARunHasTheSumsOfTheRun) {
  auto text = rule_with("scope = \"stage\"", "scope = \"run\"");
  text = rule_with("tasks > limit", "shuffle_write.sum > limit * stages", text);
  text = rule_with("stage = { tasks = 101 }", "run = { shuffle_write = [100, 200, 3], stages = 3, tasks = 101 }", text);
  text = rule_with("stage = { tasks = 100 }", "run = { shuffle_write = 300, stages = 3 }", text);
  const auto rule = parse_rule(text, "r.toml");
  ASSERT_TRUE(rule) << rule.error().message;
  EXPECT_TRUE(run_rule_tests(*rule)) << run_rule_tests(*rule).error().message;
}

TEST(ParseRule, NamesOfAStageAreNoneOfARun) {
  auto text = rule_with("scope = \"stage\"", "scope = \"run\"");
  text = rule_with("tasks > limit", "cores > limit && output.max > 1", text);
  text = rule_with("stage = ", "run = ", rule_with("stage = ", "run = ", rule_with("scope = \"run\"", "scope  = \"run\"", text)));
  EXPECT_EQ(error_of(text),
            "r.toml:9:9: 'when': 'cores' is a name of a stage; a rule of scope \"run\" has the sums over all stages\n"
            "r.toml:9:26: 'when': 'output.max' is a name of a stage; a rule of scope \"run\" has the sums over all stages");
}

}  // namespace
}  // namespace stagegate
