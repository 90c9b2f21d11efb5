#include "run/placeholders.h"

#include <gtest/gtest.h>

namespace stagegate {
namespace {

const PlaceholderValues kValues{{"run_dir", "/r"}, {"job", "revenue"}, {"variant", "{job}"}, {"manifest_dir", "/m"}};

TEST(Placeholders, AreFilledInWhereverTheyStand) {
  EXPECT_EQ(fill_in_template("{run_dir}/{job}-{variant}{manifest_dir}", kValues), "/r/revenue-{job}/m");
}

TEST(Placeholders, DoubledBracesOfATemplateAreOneBrace) {
  EXPECT_EQ(fill_in_template("{{job}} {{{job}}} {{}}", kValues), "{job} {revenue} {}");
}

TEST(Placeholders, OtherBracesStay) {
  EXPECT_EQ(fill_in_template("{other} { } {run_dir", kValues), "{other} { } {run_dir");
}

TEST(Placeholders, BracesOfConfValuesStayAsTheyAre) {
  EXPECT_EQ(fill_in_names("-Xlog:gc:{run_dir}/gc-{{EXECUTOR_ID}}.log", kValues), "-Xlog:gc:/r/gc-{{EXECUTOR_ID}}.log");
  EXPECT_EQ(fill_in_names(R"({"a":{"b":1}})", kValues), R"({"a":{"b":1}})");
}

}  // namespace
}  // namespace stagegate
