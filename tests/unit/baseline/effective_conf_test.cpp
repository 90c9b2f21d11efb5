#include "baseline/effective_conf.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

using Asked = std::map<std::string, ConfValue>;

Application ran_with(std::map<std::string, std::string> properties) {
  Application application;
  application.spark_properties = std::move(properties);
  return application;
}

TEST(OverriddenProperties, AreNoneWhereTheRunIsTheVariant) {
  const Asked asked{{"spark.sql.adaptive.enabled", {"false", "[variants.off]"}}, {"spark.master", {"local[4]", "[spark]"}}};
  EXPECT_TRUE(overridden_properties(asked, ran_with({{"spark.sql.adaptive.enabled", "FALSE"}, {"spark.master", "local[4]"}})).empty());
  EXPECT_TRUE(overridden_properties(asked, ran_with({})).empty()) << "what the evidence does not have is not proven to be another one";
  EXPECT_TRUE(overridden_properties({}, ran_with({{"spark.master", "yarn"}})).empty());
}

TEST(OverriddenProperties, AreToldWithBothValuesAndThePlace) {
  const Asked asked{{"spark.sql.shuffle.partitions", {"200", "[variants.many]"}}};
  const auto lines = overridden_properties(asked, ran_with({{"spark.sql.shuffle.partitions", "8"}}));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].find("[variants.many] asks for spark.sql.shuffle.partitions = 200, and it was 8 in the application's environment"), 0U)
      << lines[0];
}

TEST(OverriddenProperties, AreSeenInSqlExecutions) {
  const Asked asked{{"spark.sql.adaptive.enabled", {"true", "[variants.on]"}}};
  auto application = ran_with({{"spark.sql.adaptive.enabled", "true"}});
  application.executions.resize(2);
  application.executions[1].id = 7;
  application.executions[1].description = "write report";
  application.executions[1].modified_conf = {{"spark.sql.adaptive.enabled", "false"}};
  const auto lines = overridden_properties(asked, application);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("it was false in SQL execution 7 (write report)"), std::string::npos) << lines[0];
}

// The description is what StreamExecution makes of name, id, runId and batch.
TEST(OverriddenProperties, AreNotThoseOfAStreamingQuerysOwnSession) {
  const Asked asked{{"spark.sql.adaptive.enabled", {"true", "[variants.on]"}}};
  auto application = ran_with({{"spark.sql.adaptive.enabled", "true"}});
  application.executions.resize(1);
  application.executions[0].description =
      "counts\nid = 0b6f1a9e-0000-4000-8000-000000000001\nrunId = 0b6f1a9e-0000-4000-8000-000000000002\nbatch = 3";
  application.executions[0].modified_conf = {{"spark.sql.adaptive.enabled", "false"}};
  EXPECT_TRUE(overridden_properties(asked, application).empty());
}

TEST(OverriddenProperties, AreNotLookedForInWhatSparkRewritesOrHides) {
  const Asked asked{{"spark.jars", {"a.jar", "[defaults]"}},         {"spark.driver.extraJavaOptions", {"-Xss4m", "[defaults]"}},
                    {"spark.eventLog.dir", {"/logs", "[defaults]"}}, {"spark.app.name", {"gate", "[defaults]"}},
                    {"spark.my.password", {"x", "[defaults]"}},      {"spark.my.path", {"{run_dir}/x", "[defaults]"}}};
  EXPECT_TRUE(overridden_properties(asked, ran_with({{"spark.jars", "file:/m/a.jar"},
                                                     {"spark.driver.extraJavaOptions", "-Djava.net.preferIPv6Addresses=false -Xss4m"},
                                                     {"spark.eventLog.dir", "file:/r/eventlog"},
                                                     {"spark.app.name", "revenue"},
                                                     {"spark.my.password", "*********(redacted)"},
                                                     {"spark.my.path", "/r/1/x"}}))
                  .empty());
}

TEST(OverriddenProperties, ShowNoSecret) {
  const Asked asked{{"spark.my.token", {"mine", "[defaults]"}}};
  const auto lines = overridden_properties(asked, ran_with({{"spark.my.token", "theirs"}}));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].find("mine"), std::string::npos);
  EXPECT_EQ(lines[0].find("theirs"), std::string::npos);
}

}  // namespace
}  // namespace stagegate
