#include "run/command_line.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "unit/run/fake_spark.h"

namespace stagegate {
namespace {

using Words = std::vector<std::string>;

const SparkInstallation kSpark{"/opt/spark", "/venv/bin/python", "/venv/bin", "4.3.0", "[spark] home"};

JobVariant python_job() {
  JobVariant job_variant;
  job_variant.job = "revenue";
  job_variant.variant = "adaptive";
  job_variant.app = "/m/jobs/revenue.py";
  job_variant.manifest_dir = "/m";
  return job_variant;
}

JobVariant command_job() {
  auto job_variant = python_job();
  job_variant.app.reset();
  job_variant.command = {"python", "jobs/revenue.py", "{run_dir}/out"};
  return job_variant;
}

PlannedProcess plan(const JobVariant& job_variant, const test::Variables& variables = {}) {
  return plan_process(job_variant, kSpark, "/r/1", "marker-1", test::environment_of(variables));
}

// The value of --conf KEY, or "(none)".
std::string conf_argument(const Words& argv, const std::string& key) {
  for (std::size_t i = 1; i < argv.size(); ++i) {
    if (argv[i - 1] == "--conf" && argv[i].starts_with(key + "=")) {
      return argv[i].substr(key.size() + 1);
    }
  }
  return "(none)";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(PlanProcess, GivesAnAppToSparkSubmitWithItsPropertiesByKey) {
  auto job_variant = python_job();
  job_variant.args = {"--out", "{run_dir}/out"};
  job_variant.spark.master = "local[4]";
  job_variant.conf["spark.sql.adaptive.enabled"] = {"false", "[variants.adaptive]"};
  const Words expected{"/opt/spark/bin/spark-submit",
                       "--master",
                       "local[4]",
                       "--conf",
                       "spark.eventLog.compress=false",
                       "--conf",
                       "spark.eventLog.dir=file:///r/1/eventlog",
                       "--conf",
                       "spark.eventLog.enabled=true",
                       "--conf",
                       "spark.eventLog.rolling.enabled=false",
                       "--conf",
                       "spark.sql.adaptive.enabled=false",
                       "--conf",
                       "spark.stagegate.run=marker-1",
                       "--conf",
                       "spark.ui.showConsoleProgress=false",
                       "/m/jobs/revenue.py",
                       "--out",
                       "/r/1/out"};
  EXPECT_EQ(plan(job_variant).argv, expected);
}

TEST(PlanProcess, WorksInTheManifestsFolderWithTheSparkAndThePythonThatWereFound) {
  const auto process = plan(python_job());
  EXPECT_EQ(process.working_dir, "/m");
  const std::map<std::string, std::string> expected{
      {"SPARK_HOME", "/opt/spark"}, {"PYSPARK_PYTHON", "/venv/bin/python"}, {"PYSPARK_DRIVER_PYTHON", "/venv/bin/python"}};
  EXPECT_EQ(process.environment, expected);
  EXPECT_EQ(process.spark_defaults, "");
}

TEST(PlanProcess, LetsTheManifestsEnvironmentNameAnotherPythonButNotAnotherSpark) {
  auto job_variant = python_job();
  job_variant.environment = {{"PYSPARK_PYTHON", "/usr/bin/python3"}, {"SPARK_HOME", "/other"}, {"OUT", "{run_dir}/{{x}}"}};
  const auto process = plan(job_variant);
  EXPECT_EQ(process.environment.at("PYSPARK_PYTHON"), "/usr/bin/python3");
  EXPECT_EQ(process.environment.at("SPARK_HOME"), "/opt/spark");
  EXPECT_EQ(process.environment.at("OUT"), "/r/1/{{x}}");
}

TEST(PlanProcess, NamesTheMainClassOfAJarBehindTheMaster) {
  auto job_variant = python_job();
  job_variant.app = "/m/app.jar";
  job_variant.main_class = "com.acme.Revenue";
  EXPECT_EQ(plan(job_variant).argv[1], "--class");
  job_variant.spark.master = "local[2]";
  const auto argv = plan(job_variant).argv;
  EXPECT_EQ(Words(argv.begin() + 1, argv.begin() + 5), (Words{"--master", "local[2]", "--class", "com.acme.Revenue"}));
  EXPECT_EQ(argv.back(), "/m/app.jar");
}

TEST(PlanProcess, GivesAnSqlFileToSparkSqlBehindItsArguments) {
  auto job_variant = python_job();
  job_variant.app = "/m/report.sql";
  job_variant.args = {"--hivevar", "day=1"};
  const auto argv = plan(job_variant).argv;
  EXPECT_EQ(argv.front(), "/opt/spark/bin/spark-sql");
  EXPECT_EQ(Words(argv.end() - 4, argv.end()), (Words{"--hivevar", "day=1", "-f", "/m/report.sql"}));
}

TEST(PlanProcess, GivesEachSqlRunAMetastoreAndAWarehouseOfItsOwn) {
  auto job_variant = python_job();
  job_variant.app = "/m/report.sql";
  const auto process = plan(job_variant, {{"SPARK_SUBMIT_OPTS", "-Xmx1g"}});
  EXPECT_EQ(process.environment.at("SPARK_SUBMIT_OPTS"), "-Xmx1g \"-Dderby.system.home=/r/1/metastore\"");
  EXPECT_EQ(conf_argument(process.argv, "spark.sql.warehouse.dir"), "/r/1/warehouse");
  job_variant.conf["spark.sql.warehouse.dir"] = {"/data/warehouse", "[defaults]"};
  EXPECT_EQ(conf_argument(plan(job_variant).argv, "spark.sql.warehouse.dir"), "/data/warehouse");
}

TEST(PlanProcess, ItsOwnPropertiesWinAndSayWhoseTheyAre) {
  auto job_variant = python_job();
  job_variant.conf["spark.eventLog.enabled"] = {"false", "[defaults]"};
  job_variant.conf["spark.stagegate.run"] = {"mine", "[defaults]"};
  job_variant.conf["spark.ui.showConsoleProgress"] = {"true", "[defaults]"};
  const auto process = plan(job_variant);
  EXPECT_EQ(conf_argument(process.argv, "spark.eventLog.enabled"), "true");
  EXPECT_EQ(conf_argument(process.argv, "spark.stagegate.run"), "marker-1");
  EXPECT_EQ(conf_argument(process.argv, "spark.ui.showConsoleProgress"), "true");
  const auto marker =
      std::find_if(process.conf.begin(), process.conf.end(), [](const auto& entry) { return entry.first == kMarkerProperty; });
  ASSERT_NE(marker, process.conf.end());
  EXPECT_EQ(marker->second.origin, "stagegate");
}

TEST(PlanProcess, TakesAMasterFromTheConfWhereSparkNamesNone) {
  auto job_variant = python_job();
  job_variant.conf["spark.master"] = {"local[3]", "[defaults]"};
  EXPECT_EQ(plan(job_variant).argv[2], "local[3]");
  job_variant.spark.master = "local[4]";
  EXPECT_EQ(plan(job_variant).argv[2], "local[4]");
  EXPECT_EQ(conf_argument(plan(job_variant).argv, "spark.master"), "(none)");
}

TEST(PlanProcess, FillsInWhatAConfValueNamesAndLeavesItsOtherBraces) {
  auto job_variant = python_job();
  job_variant.conf["spark.a"] = {"{run_dir}/{{APP_ID}}/{job}", "[defaults]"};
  EXPECT_EQ(conf_argument(plan(job_variant).argv, "spark.a"), "/r/1/{{APP_ID}}/revenue");
}

TEST(PlanProcess, EscapesTheFolderOfTheEventLog) {
  const auto process = plan_process(python_job(), kSpark, "/my runs/1", "m", test::environment_of({}));
  EXPECT_EQ(conf_argument(process.argv, "spark.eventLog.dir"), "file:///my%20runs/1/eventlog");
}

TEST(PlanProcess, StartsACommandAsItIsWithTheConfInItsEnvironment) {
  auto job_variant = command_job();
  job_variant.args = {"{variant}"};
  job_variant.spark.master = "local[4]";
  job_variant.conf["spark.x"] = {"a b", "[defaults]"};
  const auto process = plan(job_variant);
  EXPECT_EQ(process.argv, (Words{"python", "jobs/revenue.py", "/r/1/out", "adaptive"}));
  EXPECT_EQ(process.environment.at("SPARK_CONF_DIR"), "/r/1/conf");
  EXPECT_EQ(process.environment.at("SPARK_HOME"), "/opt/spark");
  EXPECT_TRUE(contains(process.spark_defaults, "spark.master=local[4]\n"));
  EXPECT_TRUE(contains(process.spark_defaults, "spark.x=a b\n"));
  const auto& submit = process.environment.at("PYSPARK_SUBMIT_ARGS");
  EXPECT_TRUE(submit.starts_with("--master 'local[4]' --conf ")) << submit;
  EXPECT_TRUE(contains(submit, " --conf 'spark.x=a b' ")) << submit;
  EXPECT_TRUE(submit.ends_with(" pyspark-shell")) << submit;
  const auto& java = process.environment.at("JDK_JAVA_OPTIONS");
  EXPECT_TRUE(contains(java, "\"-Dspark.master=local[4]\"")) << java;
  EXPECT_TRUE(contains(java, "\"-Dspark.x=a b\"")) << java;
}

TEST(PlanProcess, KeepsWhatTheUserHasInTheVariablesOfACommand) {
  auto job_variant = command_job();
  job_variant.environment["JDK_JAVA_OPTIONS"] = "-Xmx2g";
  const auto process =
      plan(job_variant,
           {{"JDK_JAVA_OPTIONS", "-Xmx1g"}, {"PYSPARK_SUBMIT_ARGS", "--packages io.delta:delta:4 pyspark-shell "}, {"PATH", "/usr/bin"}});
  EXPECT_TRUE(process.environment.at("JDK_JAVA_OPTIONS").starts_with("-Xmx2g \"-Dspark."));
  EXPECT_TRUE(process.environment.at("PYSPARK_SUBMIT_ARGS").starts_with("--packages io.delta:delta:4 --conf "));
  EXPECT_EQ(process.environment.at("PATH"), "/venv/bin:/usr/bin");
}

TEST(PlanProcess, SaysWhichConfigurationFolderACommandWouldHaveRead) {
  EXPECT_EQ(plan(command_job()).replaced_conf_dir, "/opt/spark/conf");
  EXPECT_EQ(plan(command_job(), {{"SPARK_CONF_DIR", "/etc/spark"}}).replaced_conf_dir, "/etc/spark");
  EXPECT_EQ(plan_process(command_job(), {}, "/r/1", "m", test::environment_of({})).replaced_conf_dir, "");
  EXPECT_EQ(plan(python_job()).replaced_conf_dir, "");
}

TEST(PlanProcess, LeavesACommandWithoutAnySparkToItself) {
  const auto process = plan_process(command_job(), {}, "/r/1", "m", test::environment_of({}));
  EXPECT_FALSE(process.environment.contains("SPARK_HOME"));
  EXPECT_FALSE(process.environment.contains("PYSPARK_PYTHON"));
  EXPECT_FALSE(process.environment.contains("PATH"));
}

TEST(ShellLine, CanBeTyped) {
  EXPECT_EQ(shell_line({"spark-submit", "--master", "local[4]", "it's"}), "spark-submit --master 'local[4]' 'it'\\''s'");
}

TEST(PlanProcess, LeavesTheFormOfLogsThatOthersKeepToThem) {
  auto job_variant = python_job();
  job_variant.evidence.history_server = "http://history:18080";
  auto argv = plan(job_variant).argv;
  EXPECT_EQ(conf_argument(argv, "spark.eventLog.enabled"), "true");
  EXPECT_EQ(conf_argument(argv, "spark.eventLog.dir"), "(none)");
  EXPECT_EQ(conf_argument(argv, "spark.eventLog.rolling.enabled"), "(none)");
  EXPECT_EQ(conf_argument(argv, "spark.eventLog.compress"), "(none)");
  EXPECT_EQ(conf_argument(argv, "spark.stagegate.run"), "marker-1");
  job_variant.evidence.log_dir = "hdfs:///spark-history";
  EXPECT_EQ(conf_argument(plan(job_variant).argv, "spark.eventLog.dir"), "hdfs:///spark-history");
  job_variant.evidence.log_dir = "/mnt/spark events";
  job_variant.evidence.log_dir_is_here = true;
  EXPECT_EQ(conf_argument(plan(job_variant).argv, "spark.eventLog.dir"), "file:///mnt/spark%20events");
}

}  // namespace
}  // namespace stagegate
