#include "run/spark_installation.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "unit/run/fake_spark.h"

namespace stagegate {
namespace {

SparkChoice home_is(const std::string& home) {
  SparkChoice choice;
  choice.home = home;
  return choice;
}

SparkChoice python_is(const std::string& python) {
  SparkChoice choice;
  choice.python = python;
  return choice;
}

SparkChoice own_python_is(const std::string& python) {
  auto choice = python_is(python);
  choice.python_is_own = true;
  return choice;
}

class FindSpark : public testing::Test {
 protected:
  Result<SparkInstallation> find(const SparkChoice& choice, const test::Variables& variables = {}) {
    return find_spark(choice, {test::environment_of(variables), folder.path()});
  }
  std::string error_of(const SparkChoice& choice, const test::Variables& variables = {}) {
    const auto spark = find(choice, variables);
    if (!spark) {
      EXPECT_EQ(spark.error().kind, ErrorKind::job);
    }
    return spark ? "(found one)" : spark.error().message;
  }
  bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

  test::TemporaryFolder folder;
};

TEST_F(FindSpark, TakesTheManifestsHomeBeforeAllElse) {
  const auto home = test::make_spark(folder, "home");
  const auto spark = find(home_is(home), {{"SPARK_HOME", test::make_spark(folder, "other")}});
  ASSERT_TRUE(spark);
  EXPECT_EQ(spark->home, home);
  EXPECT_EQ(spark->version, "4.3.0");
  EXPECT_EQ(spark->found_by, "[spark] home");
  EXPECT_EQ(spark->python, "");
}

TEST_F(FindSpark, TakesSparkHomeBeforeThePythonOfTheManifestWhichStaysTheJobsPython) {
  const auto home = test::make_spark(folder, "home");
  const auto python = test::make_venv(folder, "venv", test::make_spark(folder, "venv/pyspark"));
  const auto spark = find(python_is(python), {{"SPARK_HOME", home}});
  ASSERT_TRUE(spark);
  EXPECT_EQ(spark->home, home);
  EXPECT_EQ(spark->found_by, "$SPARK_HOME");
  EXPECT_EQ(spark->python, python);
}

TEST_F(FindSpark, TakesThePythonOfAVariantBeforeSparkHome) {
  const auto package = test::make_spark(folder, "venv/pyspark", "exit 0", "3.5.8");
  const auto python = test::make_venv(folder, "venv", package);
  const auto spark = find(own_python_is(python), {{"SPARK_HOME", test::make_spark(folder, "home")}});
  ASSERT_TRUE(spark) << spark.error().message;
  EXPECT_EQ(spark->home, package);
  EXPECT_EQ(spark->version, "3.5.8");
}

TEST_F(FindSpark, AsksThePythonOfTheManifestForItsPackage) {
  const auto package = test::make_spark(folder, "env/lib/pyspark");
  const auto python = test::make_venv(folder, "env", package);
  const auto spark = find(python_is(python), {{"PATH", "/usr/bin:/bin"}});
  ASSERT_TRUE(spark) << spark.error().message;
  EXPECT_EQ(spark->home, package);
  EXPECT_EQ(spark->python, python);
  EXPECT_EQ(spark->venv_bin, folder.at("env/bin"));
  EXPECT_EQ(spark->found_by, "python env/bin/python of the manifest");
}

TEST_F(FindSpark, LooksForAPythonThatIsOnlyANameOnPath) {
  test::make_venv(folder, "env", test::make_spark(folder, "env/pyspark"));
  const auto spark = find(python_is("python"), {{"PATH", folder.at("env/bin")}});
  ASSERT_TRUE(spark) << spark.error().message;
  EXPECT_EQ(spark->python, folder.at("env/bin/python"));
}

TEST_F(FindSpark, TakesTheVirtualEnvironmentBesideTheManifest) {
  test::make_venv(folder, ".venv", test::make_spark(folder, ".venv/pyspark"));
  const auto spark = find({});
  ASSERT_TRUE(spark) << spark.error().message;
  EXPECT_EQ(spark->home, folder.at(".venv/pyspark"));
  EXPECT_EQ(spark->found_by, ".venv beside the manifest");
}

TEST_F(FindSpark, TakesSparkSubmitOnPathThroughLinks) {
  const auto home = test::make_spark(folder, "opt/spark-4");
  folder.write("opt/spark-4/jars/a.jar", "");
  std::filesystem::create_directories(folder.at("bin"));
  std::filesystem::create_symlink(home + "/bin/spark-submit", folder.at("bin/spark-submit"));
  const auto spark = find({}, {{"PATH", folder.at("none") + ":" + folder.at("bin")}});
  ASSERT_TRUE(spark) << spark.error().message;
  EXPECT_EQ(spark->home, home);
  EXPECT_EQ(spark->found_by, folder.at("bin/spark-submit") + " on PATH");
}

TEST_F(FindSpark, TakesThePackageBehindAVirtualEnvironmentsSparkSubmit) {
  test::make_venv(folder, "env", test::make_spark(folder, "env/lib/pyspark"));
  folder.write_script("env/bin/spark-submit", "exit 127");
  folder.write("env/bin/find_spark_home.py", "");
  const auto spark = find({}, {{"PATH", folder.at("env/bin")}});
  ASSERT_TRUE(spark) << spark.error().message;
  EXPECT_EQ(spark->home, folder.at("env/lib/pyspark"));
  EXPECT_EQ(spark->python, folder.at("env/bin/python"));
}

TEST_F(FindSpark, ANamedHomeThatIsNoSparkIsAnErrorAndNotAReasonToLookFurther) {
  test::make_venv(folder, ".venv", test::make_spark(folder, ".venv/pyspark"));
  folder.write("empty/README", "");
  EXPECT_TRUE(mentions(error_of(home_is(folder.at("none"))), "[spark] home names a Spark that is not there or broken"));
  EXPECT_TRUE(mentions(error_of(home_is(folder.at("none"))), folder.at("none") + " does not exist"));
  EXPECT_TRUE(mentions(error_of(home_is(folder.at("empty"))), folder.at("empty") + " holds no bin/spark-submit"));
  EXPECT_TRUE(mentions(error_of({}, {{"SPARK_HOME", folder.at("empty")}}), "$SPARK_HOME names a Spark that is not there or broken"));
}

TEST_F(FindSpark, ANamedPythonThatHasNoSparkIsAnErrorToo) {
  EXPECT_TRUE(mentions(error_of(python_is(folder.at("gone/python"))), "gone/python does not exist"));
  EXPECT_TRUE(mentions(error_of(python_is("python9")), "python9 is not on PATH"));
  const auto bare = test::make_venv(folder, "bare", "");
  EXPECT_TRUE(mentions(error_of(python_is(bare)), bare + " has no pyspark package"));
  const auto broken = folder.write_script("broken/python", "echo 'cannot find libpython' >&2; exit 1");
  EXPECT_TRUE(mentions(error_of(python_is(broken)), broken + " does not work: cannot find libpython"));
}

TEST_F(FindSpark, APackageWithoutSparkInItIsSaidToBeOne) {
  folder.write("client/pyspark/version.py", "");
  const auto python = test::make_venv(folder, "client", folder.at("client/pyspark"));
  EXPECT_TRUE(mentions(error_of(python_is(python)), "is no whole Spark (pyspark-client?"));
}

TEST_F(FindSpark, NamesEachPlaceWhereItLooked) {
  const auto nothing = error_of({}, {{"PATH", folder.at("bin")}});
  EXPECT_TRUE(mentions(nothing, "$SPARK_HOME is not set")) << nothing;
  EXPECT_TRUE(mentions(nothing, "there is no .venv/bin/python in " + folder.path())) << nothing;
  EXPECT_TRUE(mentions(nothing, "no spark-submit is on PATH")) << nothing;
  EXPECT_TRUE(mentions(nothing, "pip install pyspark")) << nothing;

  const auto bare = test::make_venv(folder, ".venv", "");
  folder.write_script("bin/spark-submit", "");
  const auto useless = error_of({}, {{"PATH", folder.at("bin")}});
  EXPECT_TRUE(mentions(useless, bare + " has no pyspark package")) << useless;
  EXPECT_TRUE(mentions(useless, folder.at("bin/spark-submit") + " is on PATH, but is a wrapper")) << useless;
}

TEST_F(FindSpark, KnowsWhetherAPlaceWasNamed) {
  const SparkSearch empty{test::environment_of({{"SPARK_HOME", ""}}), folder.path()};
  const SparkSearch set{test::environment_of({{"SPARK_HOME", "/x"}}), folder.path()};
  EXPECT_FALSE(names_a_spark({}, empty));
  EXPECT_TRUE(names_a_spark({}, set));
  EXPECT_TRUE(names_a_spark(python_is("python"), empty));
}

class CheckJava : public testing::Test {
 protected:
  std::string problem(const std::string& spark_version, const test::Variables& variables) {
    SparkInstallation spark;
    spark.version = spark_version;
    const auto status = check_java(spark, {test::environment_of(variables), folder.path()});
    return status ? "" : status.error().message;
  }

  test::TemporaryFolder folder;
};

TEST_F(CheckJava, KnowsWhatEachSparkNeeds) {
  struct Case {
    const char* spark;
    const char* java;
    bool works;
  };
  for (const auto& [spark, java, works] :
       {Case{"4.3.0", "17.0.15", true}, Case{"4.3.0", "21", true}, Case{"4.0.0", "11.0.2", false},
        Case{"4.1.0-preview1", "1.8.0_392", false}, Case{"3.5.8", "1.8.0_392", true}, Case{"3.5.8", "11.0.2", true},
        Case{"3.5.8", "17", true}, Case{"3.5.8", "9.0.1", false}, Case{"3.5.8", "1.7.0", false}, Case{"", "11", true}}) {
    const auto home = test::make_java(folder, std::string("java-") + java, java);
    EXPECT_EQ(problem(spark, {{"JAVA_HOME", home}}).empty(), works) << spark << " on " << java;
  }
}

TEST_F(CheckJava, NamesTheJavaThatWasFoundAndTheOneThatIsNeeded) {
  const auto home = test::make_java(folder, "java", "11.0.2");
  EXPECT_EQ(problem("4.3.0", {{"JAVA_HOME", home}}),
            "Spark 4.3.0 needs Java 17 or later, but " + home + "/bin/java is Java 11.0.2; set JAVA_HOME to another one");
}

TEST_F(CheckJava, TakesJavaOnPathWhereJavaHomeIsNotSet) {
  const auto home = test::make_java(folder, "java", "17");
  EXPECT_EQ(problem("4.3.0", {{"JAVA_HOME", ""}, {"PATH", home + "/bin"}}), "");
}

TEST_F(CheckJava, SaysWhereAJavaIsMissing) {
  EXPECT_EQ(problem("4.3.0", {{"JAVA_HOME", folder.at("gone")}}),
            "JAVA_HOME is " + folder.at("gone") + ", but there is no bin/java in it; Spark 4.3.0 needs Java 17 or later");
  EXPECT_EQ(problem("3.5.8", {{"PATH", folder.path()}}),
            "no Java was found: JAVA_HOME is not set and no java is on PATH; Spark 3.5.8 needs Java 8, 11 or 17");
}

TEST_F(CheckJava, ShowsAnAnswerThatIsNone) {
  folder.write_script("java/bin/java", "echo 'No Java runtime present'; exit 1");
  EXPECT_NE(problem("4.3.0", {{"JAVA_HOME", folder.at("java")}}).find("No Java runtime present"), std::string::npos);
}

}  // namespace
}  // namespace stagegate
