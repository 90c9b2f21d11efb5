#include "run/spark_version.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace stagegate {
namespace {

TEST(SparkVersion, IsInTheReleaseFileOfADownload) {
  const test::TemporaryFolder home;
  home.write("RELEASE", "Spark 3.5.1 (git revision fd86f85e181) built for Hadoop 3.3.4\nBuild flags: -B -Pmesos\n");
  home.write("python/pyspark/version.py", "__version__: str = \"0.0.0\"\n");
  EXPECT_EQ(spark_version_in(home.path()), "3.5.1");
}

TEST(SparkVersion, IsInThePysparkPackage) {
  const test::TemporaryFolder home;
  home.write("version.py", "#\n# Licensed\n#\n\n__version__: str = '4.3.0'\n");
  EXPECT_EQ(spark_version_in(home.path()), "4.3.0");
}

TEST(SparkVersion, IsInTheNameOfTheCoreJar) {
  const test::TemporaryFolder home;
  home.write("jars/spark-catalyst_2.13-1.0.jar", "");
  home.write("jars/spark-core_2.13-4.1.0-preview1.jar", "");
  EXPECT_EQ(spark_version_in(home.path()), "4.1.0-preview1");
}

TEST(SparkVersion, IsEmptyWhereNothingSaysIt) {
  const test::TemporaryFolder home;
  home.write("RELEASE", "");
  home.write("version.py", "__version__ = 4\n");
  EXPECT_EQ(spark_version_in(home.path()), "");
  EXPECT_EQ(spark_version_in(home.at("none")), "");
}

TEST(JavaVersion, IsBetweenTheQuotesBehindItsName) {
  EXPECT_EQ(java_version_in("openjdk version \"17.0.15\" 2025-04-15\nOpenJDK Runtime"), "17.0.15");
  EXPECT_EQ(java_version_in("Picked up JAVA_TOOL_OPTIONS: -Da=\"b\"\njava version \"1.8.0_392\"\n"), "1.8.0_392");
  EXPECT_EQ(java_version_in("openjdk version \"21\" 2023-09-19"), "21");
  EXPECT_EQ(java_version_in("Error: could not create the Java Virtual Machine."), std::nullopt);
}

TEST(JavaVersion, CountsInBothSchemes) {
  EXPECT_EQ(java_feature_version("1.8.0_392"), 8);
  EXPECT_EQ(java_feature_version("11.0.2"), 11);
  EXPECT_EQ(java_feature_version("17.0.15"), 17);
  EXPECT_EQ(java_feature_version("21"), 21);
  EXPECT_EQ(java_feature_version("22-ea"), 22);
  EXPECT_EQ(java_feature_version("x"), std::nullopt);
}

}  // namespace
}  // namespace stagegate
