#include "manifest/interpolation.h"

#include <string_view>

#include <gtest/gtest.h>

#include "unit/manifest/parse.h"

namespace stagegate::manifest {
namespace {

struct Case {
  std::string_view text;
  std::string_view expected;
};

std::string filled(std::string_view text, InsertedBraces braces = InsertedBraces::as_they_are) {
  const auto result = fill_in_environment(text, test_environment, braces);
  return result ? *result : result.error().message;
}

TEST(FillInEnvironment, TakesVariablesAndDefaults) {
  const Case cases[] = {
      {"", ""},
      {"plain", "plain"},
      {"${HOME}", "/home/ada"},
      {"a ${HOME}/b ${HOME}", "a /home/ada/b /home/ada"},
      {"${EMPTY}", ""},
      {"${EMPTY:-x}", "x"},
      {"${HOME:-x}", "/home/ada"},
      {"${NOT_SET:-x}", "x"},
      {"${NOT_SET:-}", ""},
      {"${NOT_SET:-a:-b}", "a:-b"},
      {"${NOT_SET:-{run_dir}/out}", "{run_dir}/out"},
      {"${NOT_SET:-${ALSO_NOT:-${HOME}}}/x", "/home/ada/x"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(filled(text), expected) << text;
  }
}

TEST(FillInEnvironment, TwoDollarsAreOneAndALoneOneIsItself) {
  const Case cases[] = {
      {"$$", "$"},  {"$${HOME}", "${HOME}"}, {"$$$${x}", "$${x}"}, {"$$${HOME}", "$/home/ada"},
      {"$5", "$5"}, {"$HOME", "$HOME"},      {"5$", "5$"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(filled(text), expected) << text;
  }
}

TEST(FillInEnvironment, SaysWhatIsWrong) {
  const Case cases[] = {
      {"${NOT_SET}", "the environment variable 'NOT_SET' is not set; '${NOT_SET:-...}' gives it a default"},
      {"${NOT_SET:-${ALSO_NOT}}", "the environment variable 'ALSO_NOT' is not set; '${ALSO_NOT:-...}' gives it a default"},
      {"${spark.app.name}", "'${spark.app.name}' is not an environment variable; a literal '$' is written '$$'"},
      {"${}", "'${}' is not an environment variable; a literal '$' is written '$$'"},
      {"${1A}", "'${1A}' is not an environment variable; a literal '$' is written '$$'"},
      {"${HOME", "'${' has no closing '}'; a literal '$' is written '$$'"},
      {"${HOME:-{x}", "'${' has no closing '}'; a literal '$' is written '$$'"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(filled(text), expected) << text;
  }
}

TEST(FillInEnvironment, DoublesOnlyTheBracesThatComeOutOfAVariable) {
  EXPECT_EQ(filled("{variant} ${BRACES} ${NOT_SET:-{job}}", InsertedBraces::doubled), "{variant} {{job}} {job}");
  EXPECT_EQ(filled("{variant} ${BRACES}"), "{variant} {job}");
}

}  // namespace
}  // namespace stagegate::manifest
