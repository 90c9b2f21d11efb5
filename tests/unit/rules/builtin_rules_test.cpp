#include <string>

#include <gtest/gtest.h>

#include "rules/rule.h"

namespace stagegate {
namespace {

TEST(BuiltinRules, ParseAndPassTheirOwnTests) {
  for (const auto& file : builtin_rule_files()) {
    const auto rule = parse_rule(file.text, file.name);
    ASSERT_TRUE(rule) << rule.error().message;
    const auto status = run_rule_tests(*rule);
    EXPECT_TRUE(status) << status.error().message;
  }
}

TEST(BuiltinRules, AreTheSameWithoutTheirTests) {
  for (const auto& file : builtin_rule_files()) {
    const auto whole = parse_rule(file.text, file.name);
    const auto quick = parse_builtin_rule(file.text, file.name);
    ASSERT_TRUE(quick) << quick.error().message;
    EXPECT_TRUE(quick->tests.empty()) << file.name;
    EXPECT_EQ(explain(*quick), explain(*whole));
    EXPECT_EQ(quick->when, whole->when);
    EXPECT_EQ(quick->value, whole->value);
    EXPECT_EQ(quick->message, whole->message);
    EXPECT_EQ(quick->unless, whole->unless);
    EXPECT_EQ(quick->first_only, whole->first_only);
    EXPECT_EQ(quick->parameters.size(), whole->parameters.size());
    EXPECT_EQ(quick->at.line, whole->at.line);
  }
}

TEST(BuiltinRules, AreCalledLikeTheirFiles) {
  for (const auto& file : builtin_rule_files()) {
    EXPECT_EQ(file.name, "rules/" + parse_rule(file.text, file.name)->id + ".toml");
  }
}

TEST(BuiltinRules, AreExplainedInEightyColumns) {
  for (const auto& file : builtin_rule_files()) {
    const auto text = explain(*parse_rule(file.text, file.name));
    std::size_t begin = 0;
    for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
      EXPECT_LE(end - begin, 80U) << text.substr(begin, end - begin);
      begin = end + 1;
    }
  }
}

}  // namespace
}  // namespace stagegate
