#include <string>

#include <gtest/gtest.h>

#include "rules/rule.h"
#include "unit/rules/rule_text.h"

namespace stagegate {
namespace {

using testing::kRuleText;
using testing::rule_with;

std::string explained(const std::string& text) {
  const auto rule = parse_rule(text, "own/wide.toml");
  EXPECT_TRUE(rule) << rule.error().message;
  return rule ? explain(*rule) : std::string();
}

TEST(Explain, SaysAllThereIs) {
  EXPECT_EQ(explained(std::string(kRuleText)), R"(wide: too many tasks

  There are many.

Fires on a stage when
  tasks > limit

How bad it is
  tasks
  A count; larger is worse. An accepted finding is worse where it is more than
  25 % above its accepted value.

Parameters
  limit  100  How many there may be.

Why it matters
  They cost.

What to do
  Use fewer.

Level
  warning: it is shown, and never fails a run.
  It is silent where one of these speaks of the same stage: skew.

To change it, in stagegate.toml
  [rules.wide]
  level = "warning"    # error, warning or off
  limit = 100

  # for some jobs or variants; the first one that fits wins
  [[rules.wide.override]]
  job = "nightly-*"
  variant = "*"
  level = "warning"

From own/wide.toml
)");
}

TEST(Explain, WrapsParagraphsAndItems) {
  const auto text = explained(rule_with("\"Use fewer.\"", R"("""
Look at the plan, and at what it says of exchanges, for there is
always one behind a stage like this.

- Set spark.sql.shuffle.partitions to a number that fits the data, and not to one that fits the cluster.
- Coalesce.""")"));
  EXPECT_NE(text.find(R"(
What to do
  Look at the plan, and at what it says of exchanges, for there is always one
  behind a stage like this.
  - Set spark.sql.shuffle.partitions to a number that fits the data, and not to
    one that fits the cluster.
  - Coalesce.
)"),
            std::string::npos)
      << text;
}

TEST(Explain, KeepsTheLinesOfAnExpression) {
  const auto text = explained(rule_with("\"tasks > limit\"", "\"\"\"\ntasks\n  > limit\"\"\""));
  EXPECT_NE(text.find("\nFires on a stage when\n  tasks\n    > limit\n\n"), std::string::npos) << text;
}

TEST(Explain, WritesSizesSoThatTheyCanBeCopied) {
  auto text = rule_with("default = 100\nunit = \"count\"", "default = \"1.5 KiB\"\nunit = \"bytes\"");
  text = rule_with("tasks = 101", "tasks = 2000", rule_with("value = 101", "value = 2000", text));
  EXPECT_NE(explained(text).find("\n  limit  1.5 KiB  How many"), std::string::npos);
  EXPECT_NE(explained(text).find("\n  limit = \"1.5 KiB\"\n"), std::string::npos);
  EXPECT_NE(explained(rule_with("1.5 KiB", "123456789 B", text)).find("\n  limit = \"123456789 B\"\n"), std::string::npos);
}

TEST(Explain, ARuleMayHaveNoParametersAndNoTolerance) {
  auto text = rule_with("tasks > limit", "tasks > 100");
  text = rule_with("[parameters.limit]\ndefault = 100\nunit = \"count\"\nhelp = \"How many there may be.\"\n", "", text);
  text = rule_with(" (limit {limit})", "", rule_with("tolerance = 0.25\n", "", text));
  EXPECT_EQ(explained(text).find("Parameters"), std::string::npos);
  EXPECT_NE(explained(text).find("An accepted finding is worse where it is above its\n  accepted value."), std::string::npos)
      << explained(text);
}

TEST(Explain, SaysWhatALevelMeans) {
  EXPECT_NE(explained(rule_with("level = \"warning\"", "level = \"error\""))
                .find("error: a new finding, or a known one that is worse, fails the run."),
            std::string::npos);
  EXPECT_NE(explained(rule_with("level = \"warning\"", "level = \"off\"")).find("off: it is not looked at unless"), std::string::npos);
}

}  // namespace
}  // namespace stagegate
