#include "manifest/placeholders.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace stagegate::manifest {
namespace {

TEST(FindBadPlaceholder, AcceptsKnownNamesAndDoubledBraces) {
  for (const std::string_view text :
       {"", "plain", "{run_dir}/out", "{job}-{variant}", "{manifest_dir}", "{{x}}", "{{{job}}}", "{{", "}}"}) {
    EXPECT_EQ(find_bad_placeholder(text), std::nullopt) << text;
  }
}

TEST(FindBadPlaceholder, NamesTheFirstBraceThatIsWrong) {
  struct Case {
    std::string_view text;
    std::string_view expected;
  };
  const std::string known = "; known are {run_dir}, {job}, {variant}, {manifest_dir}, and a literal '{' is written '{{'";
  const std::string date = "unknown placeholder '{date}'" + known;
  const std::string json = "unknown placeholder '{\"a\": 1}'" + known;
  const Case cases[] = {
      {"{job}/{rundir}", "unknown placeholder '{rundir}'; did you mean '{run_dir}'?"},
      {"{Job}", "unknown placeholder '{Job}'; did you mean '{job}'?"},
      {"{date}", date},
      {R"({"a": 1})", json},
      {"{job", "'{' has no partner; a literal '{' is written '{{'"},
      {"job}", "'}' has no partner; a literal '}' is written '}}'"},
      {"{{job}", "'}' has no partner; a literal '}' is written '}}'"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(find_bad_placeholder(text).value_or(""), expected) << text;
  }
}

}  // namespace
}  // namespace stagegate::manifest
