#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "rules/rule.h"

namespace stagegate {
namespace {

// The first block of TOML in docs/rules.md that is a whole rule.
std::string documented_rule() {
  std::ifstream file(STAGEGATE_DOCS "/rules.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string opening = "```toml\nid = ";
  const auto begin = text.find(opening);
  if (begin == std::string::npos) {
    return {};
  }
  const auto content = begin + std::string("```toml\n").size();
  return text.substr(content, text.find("```", content) - content);
}

TEST(Docs, TheWorkedExampleIsARuleThatPassesItsTests) {
  const auto rule = parse_rule(documented_rule(), "docs/rules.md");
  ASSERT_TRUE(rule) << rule.error().message;
  EXPECT_EQ(rule->id, "wasted-shuffle");
  const auto status = run_rule_tests(*rule);
  EXPECT_TRUE(status) << status.error().message;
}

}  // namespace
}  // namespace stagegate
