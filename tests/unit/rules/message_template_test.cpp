#include "rules/message_template.h"

#include <limits>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace stagegate {
namespace {

// `one` is 1, `zero` is 0, `gone` is unknown.
std::string check(std::string_view name) {
  const bool known = name == "one" || name == "zero" || name == "gone";
  return known ? std::string() : fmt::format("unknown name '{}'", name);
}

PrintedValue print(const std::string& name) {
  if (name == "gone") {
    return {std::numeric_limits<double>::quiet_NaN(), ""};
  }
  return name == "one" ? PrintedValue{1, "1 B"} : PrintedValue{0, "0 B"};
}

std::string filled(std::string_view text) {
  const auto parsed = parse_template(text, check);
  EXPECT_TRUE(parsed.problems.empty()) << text;
  return fill_template(parsed.sections, print);
}

std::vector<std::string> problems_of(std::string_view text) {
  std::vector<std::string> problems;
  for (const auto& problem : parse_template(text, check).problems) {
    problems.push_back(fmt::format("{}: {}", problem.offset, problem.message));
  }
  return problems;
}

TEST(MessageTemplate, PutsValuesInTheirPlaces) {
  EXPECT_EQ(filled("{one} of {zero}{one}"), "1 B of 0 B1 B");
  EXPECT_EQ(filled("nothing"), "nothing");
}

TEST(MessageTemplate, TheUnknownIsCalledSo) {
  EXPECT_EQ(filled("{gone} cores"), "unknown cores");
}

TEST(MessageTemplate, DoubledBracketsAreTheBracketsThemselves) {
  EXPECT_EQ(filled("{{one}} [[{one}]]"), "{one} [1 B]");
}

TEST(MessageTemplate, AnOptionalPartNeedsANumberThatSaysSomething) {
  EXPECT_EQ(filled("a[, {one}]"), "a, 1 B");
  EXPECT_EQ(filled("a[, {zero}]"), "a");
  EXPECT_EQ(filled("a[, {gone}]"), "a");
  EXPECT_EQ(filled("a[, {zero} -> {one}]"), "a, 0 B -> 1 B");
  EXPECT_EQ(filled("a[, {gone} -> {one}] b"), "a, unknown -> 1 B b");
  EXPECT_EQ(filled("[{zero}; ][{one}; ]b"), "1 B; b");
}

TEST(MessageTemplate, EveryMistakeHasItsPlace) {
  EXPECT_EQ(problems_of("x {on} {}"), (std::vector<std::string>{"3: unknown name 'on'", "8: a name is missing in '{}'"}));
  EXPECT_EQ(problems_of("x {one"), std::vector<std::string>{"2: '{' has no '}'; write '{{' for the bracket itself"});
  EXPECT_EQ(problems_of("x }"), std::vector<std::string>{"2: '}' has no '{'; write '}}' for the bracket itself"});
  EXPECT_EQ(problems_of("x ]"), std::vector<std::string>{"2: ']' has no '['; write ']]' for the bracket itself"});
  EXPECT_EQ(problems_of("x [{one}"), std::vector<std::string>{"2: '[' has no ']'; write '[[' for the bracket itself"});
  EXPECT_EQ(problems_of("[{one} [{one}]"), std::vector<std::string>{"7: a '[' inside of '[ ]'; write '[[' for the bracket itself"});
  EXPECT_EQ(problems_of("[one]"), std::vector<std::string>{"0: '[ ]' has no name in it, so it would never be shown"});
}

}  // namespace
}  // namespace stagegate
