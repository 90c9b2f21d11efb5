#include "run/run_folder.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace stagegate {
namespace {

JobVariant named(const std::string& job, const std::string& variant) {
  JobVariant job_variant;
  job_variant.job = job;
  job_variant.variant = variant;
  return job_variant;
}

TEST(RunFolder, IsBelowTheReportFolder) {
  EXPECT_EQ(run_folder_path("/out", named("revenue", "adaptive-off")).value_or(""), "/out/runs/revenue/adaptive-off/1");
  EXPECT_EQ(run_folder_path("/out", named("revenue", "adaptive-off"), 12).value_or(""), "/out/runs/revenue/adaptive-off/12");
}

TEST(RunFolder, IsNowhereElseWhateverTheNames) {
  for (const auto* name : {"", ".", "..", "a/b", "../x", "/etc"}) {
    EXPECT_FALSE(run_folder_path("/out", named(name, "v"))) << name;
    EXPECT_FALSE(run_folder_path("/out", named("j", name))) << name;
  }
}

TEST(RunFolder, GoesWithThoseOfAllRunsOfItsVariantAndNoOther) {
  const test::TemporaryFolder folder;
  folder.write("runs/revenue/v/1/stdout.txt", "x");
  folder.write("runs/revenue/v/12/stdout.txt", "x");
  folder.write("runs/revenue/v/notes/mine", "x");
  folder.write("runs/revenue/w/2/stdout.txt", "x");
  ASSERT_TRUE(remove_run_folders(folder.path(), named("revenue", "v")));
  EXPECT_EQ(list_folder(folder.at("runs/revenue/v")).value(), std::vector<std::string>{"notes"});
  EXPECT_TRUE(is_file(folder.at("runs/revenue/w/2/stdout.txt")));
  EXPECT_TRUE(remove_run_folders(folder.path(), named("orders", "v")));
}

TEST(RunFolder, IsEmptyAtTheStartButForItsEventLogFolder) {
  const test::TemporaryFolder folder;
  folder.write("1/eventlog/old", "x");
  folder.write("1/out/part-0", "x");
  folder.write("2/kept", "x");
  ASSERT_TRUE(make_run_folder(folder.at("1")));
  EXPECT_EQ(list_folder(folder.at("1")).value(), std::vector<std::string>{"eventlog"});
  EXPECT_TRUE(list_folder(folder.at("1/eventlog"))->empty());
  EXPECT_TRUE(is_file(folder.at("2/kept")));
}

TEST(ConfFolder, HasTheUsersFilesAndTheUsersDefaultsBeforeOurs) {
  const test::TemporaryFolder folder;
  folder.write("usual/log4j2.properties", "rootLogger.level = error\n");
  folder.write("usual/spark-defaults.conf", "spark.a 1\nspark.b 2\\");
  PlannedProcess process;
  process.replaced_conf_dir = "usual";
  process.working_dir = folder.path();
  process.spark_defaults = "spark.a=3\n";
  ASSERT_TRUE(make_conf_folder(folder.at("run"), process));
  EXPECT_EQ(folder.read("run/conf/log4j2.properties"), "rootLogger.level = error\n");
  EXPECT_EQ(folder.read("run/conf/spark-defaults.conf"), "spark.a 1\nspark.b 2\\\n\nspark.a=3\n");
  EXPECT_EQ(folder.read("usual/spark-defaults.conf"), "spark.a 1\nspark.b 2\\");
}

TEST(ConfFolder, HasOurDefaultsAloneWhereTheUserHasNone) {
  const test::TemporaryFolder folder;
  PlannedProcess process;
  process.replaced_conf_dir = folder.at("none");
  process.spark_defaults = "spark.a=3\n";
  ASSERT_TRUE(make_conf_folder(folder.at("run"), process));
  EXPECT_EQ(list_folder(folder.at("run/conf")).value(), std::vector<std::string>{"spark-defaults.conf"});
  EXPECT_EQ(folder.read("run/conf/spark-defaults.conf"), "spark.a=3\n");
}

TEST(ConfFolder, GoesWithoutTheFilesThatItLinksTo) {
  const test::TemporaryFolder folder;
  folder.write("usual/hive-site.xml", "<password/>");
  folder.write("usual/sub/file", "x");
  PlannedProcess process;
  process.replaced_conf_dir = folder.at("usual");
  ASSERT_TRUE(make_conf_folder(folder.at("run"), process));
  ASSERT_TRUE(remove_conf_folder(folder.at("run")));
  EXPECT_FALSE(is_folder(folder.at("run/conf")));
  EXPECT_EQ(folder.read("usual/hive-site.xml"), "<password/>");
  EXPECT_EQ(folder.read("usual/sub/file"), "x");
}

}  // namespace
}  // namespace stagegate
