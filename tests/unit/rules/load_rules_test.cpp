#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/rule.h"
#include "unit/rules/rule_text.h"

namespace stagegate {
namespace {

using testing::kRuleText;
using testing::rule_with;

std::vector<std::string> ids_of(const std::vector<Rule>& rules) {
  std::vector<std::string> ids;
  ids.reserve(rules.size());
  for (const auto& rule : rules) {
    ids.push_back(rule.id);
  }
  return ids;
}

const std::vector<std::string> kBuiltIn{"skew",           "heavy-key", "imbalance",      "small-tasks",  "partitions-too-big",
                                        "too-many-files", "growth",    "lost-broadcast", "lost-cache",   "new-shuffle",
                                        "unstable-input", "spill",     "failed-tasks",   "cache-unused", "job-group-left-set"};

std::string error_of(const std::vector<RuleFile>& users) {
  const auto rules = load_rules(users);
  EXPECT_FALSE(rules);
  EXPECT_EQ(rules.error().kind, ErrorKind::usage);
  return rules.error().message;
}

TEST(LoadRules, HasTheBuiltInOnesInTheirOrder) {
  const auto rules = load_rules({});
  ASSERT_TRUE(rules) << rules.error().message;
  EXPECT_EQ(ids_of(*rules), kBuiltIn);
  EXPECT_EQ(rules->front().file, "rules/skew.toml");
}

TEST(LoadRules, AUsersRulesFollow) {
  const std::vector<RuleFile> users{{"own/wide.toml", std::string(kRuleText)}, {"own/wider.toml", rule_with("\"wide\"", "\"wider\"")}};
  const auto rules = load_rules(users);
  ASSERT_TRUE(rules) << rules.error().message;
  auto all = kBuiltIn;
  all.insert(all.end(), {"wide", "wider"});
  EXPECT_EQ(ids_of(*rules), all);
}

TEST(LoadRules, AUsersRuleTakesThePlaceOfABuiltInOne) {
  const std::vector<RuleFile> users{{"own/spill.toml", rule_with("\"wide\"", "\"spill\"")}};
  const auto rules = load_rules(users);
  ASSERT_TRUE(rules) << rules.error().message;
  EXPECT_EQ(ids_of(*rules), kBuiltIn);
  EXPECT_EQ((*rules)[11].title, "too many tasks");
  EXPECT_EQ((*rules)[11].file, "own/spill.toml");
}

TEST(LoadRules, TwoOfAUsersFilesWithOneIdAreAnError) {
  EXPECT_EQ(error_of({{"own/a.toml", std::string(kRuleText)}, {"own/b.toml", std::string(kRuleText)}}),
            "own/b.toml:1:6: the id 'wide' is that of own/a.toml:1:6, too");
}

TEST(LoadRules, UnlessMustNameARuleOfTheSameScope) {
  EXPECT_EQ(error_of({{"own/a.toml", rule_with("[\"skew\"]", "[\"skew\", \"skwe\"]")}}),
            "own/a.toml:13:19: 'unless' names the unknown rule 'skwe'; did you mean 'skew'?");
  auto text = rule_with("scope = \"stage\"", "scope = \"run\"");
  text = rule_with("stage = { tasks = 101", "run = { tasks = 101", text);
  text = rule_with("stage = { tasks = 100", "run = { tasks = 100", text);
  EXPECT_EQ(error_of({{"own/a.toml", text}}), "own/a.toml:13:11: 'unless' names 'skew', which has another scope, so the two never meet");
}

TEST(LoadRules, AFailingTestIsAnError) {
  EXPECT_EQ(error_of({{"own/a.toml", rule_with("tasks = 100", "tasks = 102")}}),
            "own/a.toml:26: test 'at': expected that the rule does not fire, but the rule fires");
}

TEST(LoadRules, TellsOfAllFilesAtOnce) {
  EXPECT_EQ(
      error_of({{"own/a.toml", rule_with("tasks > limit", "tusks > limit")}, {"own/b.toml", rule_with("tasks = 100", "tasks = 102")}}),
      "own/a.toml:9:9: 'when': unknown name 'tusks'; did you mean 'tasks'?\n"
      "own/b.toml:26: test 'at': expected that the rule does not fire, but the rule fires");
}

}  // namespace
}  // namespace stagegate
