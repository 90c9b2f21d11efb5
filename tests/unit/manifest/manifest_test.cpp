#include "manifest/manifest.h"

#include <chrono>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "unit/manifest/parse.h"

namespace stagegate {
namespace {

using Conf = std::map<std::string, std::string>;
using Words = std::vector<std::string>;

constexpr std::string_view kExample = R"([spark]
python = ".venv/bin/python"
master = "local[4]"

[defaults]
timeout = "15 min"
conf = { spark.sql.shuffle.partitions = 200 }

[jobs.revenue]
app = "jobs/revenue.py"
args = ["--out", "{run_dir}/out"]
owner = "@data-platform"
variants = ["adaptive-off", "adaptive"]
[jobs.revenue.variant.adaptive-off]
conf = { spark.sql.shuffle.partitions = 8 }

[variants.adaptive]

[variants.adaptive-off]
description = "adaptive query execution off"
conf = { spark.sql.adaptive.enabled = false }

[variants.spark-3]
python = ".venv-spark3/bin/python"

[rules.skew]
level = "error"
factor = 5
[[rules.skew.override]]
job = "revenue"
variant = "adaptive-*"
level = "warning"
min_bytes = "1 MiB"

[[suppress]]
rule = "skew"
job = "revenue"
stage = "join customers*"
reason = "guest orders, DATA-123"
until = 2027-03-01

[report]
dir = "stagegate-out"
[baseline]
dir = "baselines"
)";

std::string at(const Position& position) {
  return to_string(position);
}

TEST(Manifest, ReadsTheSharedSettingsOfTheExample) {
  const auto manifest = parse_good(kExample);
  EXPECT_EQ(manifest.file, "m.toml");
  EXPECT_EQ(manifest.dir, "/repo");
  EXPECT_EQ(manifest.defaults.spark.python, "/repo/.venv/bin/python");
  EXPECT_EQ(manifest.defaults.spark.home, std::nullopt);
  EXPECT_EQ(manifest.defaults.spark.master, "local[4]");
  EXPECT_EQ(manifest.defaults.timeout, std::chrono::minutes(15));
  EXPECT_EQ(manifest.defaults.conf, (Conf{{"spark.sql.shuffle.partitions", "200"}}));
  EXPECT_EQ(manifest.rules_dir, std::nullopt);
  EXPECT_EQ(manifest.report_dir, "/repo/stagegate-out");
  EXPECT_EQ(manifest.baseline_dir, "/repo/baselines");
  EXPECT_TRUE(manifest.use_baselines);
  EXPECT_EQ(at(manifest.baseline_at), "m.toml:44:2");
}

TEST(Manifest, ReadsTheJobsAndVariantsOfTheExample) {
  const auto manifest = parse_good(kExample);
  ASSERT_EQ(manifest.jobs.size(), 1);
  const auto& job = manifest.jobs[0];
  EXPECT_EQ(job.name, "revenue");
  EXPECT_EQ(job.app, "/repo/jobs/revenue.py");
  EXPECT_EQ(job.settings.args, (Words{"--out", "{run_dir}/out"}));
  EXPECT_EQ(job.settings.owner, "@data-platform");
  EXPECT_EQ(job.variants, (Words{"adaptive-off", "adaptive"}));
  ASSERT_EQ(job.variant_settings.size(), 1);
  EXPECT_EQ(job.variant_settings.at("adaptive-off").conf, (Conf{{"spark.sql.shuffle.partitions", "8"}}));
  EXPECT_EQ(at(job.at), "m.toml:9:7");

  ASSERT_EQ(manifest.variants.size(), 3);
  EXPECT_EQ(manifest.variants[0].name, "adaptive");
  EXPECT_EQ(manifest.variants[1].name, "adaptive-off");
  EXPECT_EQ(manifest.variants[1].description, "adaptive query execution off");
  EXPECT_EQ(manifest.variants[1].settings.conf, (Conf{{"spark.sql.adaptive.enabled", "false"}}));
  EXPECT_EQ(at(manifest.variants[1].at), "m.toml:19:11");
  EXPECT_EQ(manifest.variants[2].settings.spark.python, "/repo/.venv-spark3/bin/python");
}

TEST(Manifest, ReadsTheRulesAndSuppressionsOfTheExample) {
  const auto manifest = parse_good(kExample);
  ASSERT_EQ(manifest.rules.size(), 1);
  const auto& rule = manifest.rules[0];
  EXPECT_EQ(rule.id, "skew");
  EXPECT_EQ(rule.level, Level::error);
  EXPECT_EQ(at(rule.at), "m.toml:26:8");
  ASSERT_EQ(rule.parameters.size(), 1);
  EXPECT_EQ(std::get<std::int64_t>(rule.parameters.at("factor").value), 5);
  EXPECT_EQ(at(rule.parameters.at("factor").key_at), "m.toml:28:1");
  EXPECT_EQ(at(rule.parameters.at("factor").at), "m.toml:28:10");

  ASSERT_EQ(rule.overrides.size(), 1);
  EXPECT_EQ(rule.overrides[0].job, "revenue");
  EXPECT_EQ(rule.overrides[0].variant, "adaptive-*");
  EXPECT_EQ(rule.overrides[0].level, Level::warning);
  EXPECT_EQ(std::get<std::string>(rule.overrides[0].parameters.at("min_bytes").value), "1 MiB");
  EXPECT_EQ(rule.overrides[0].parameters.size(), 1);
  EXPECT_EQ(at(rule.overrides[0].at), "m.toml:29:1");

  ASSERT_EQ(manifest.suppressions.size(), 1);
  const auto& suppression = manifest.suppressions[0];
  EXPECT_EQ(suppression.rule, "skew");
  EXPECT_EQ(suppression.job, "revenue");
  EXPECT_EQ(suppression.variant, "*");
  EXPECT_EQ(suppression.stage, "join customers*");
  EXPECT_EQ(suppression.reason, "guest orders, DATA-123");
  EXPECT_EQ(suppression.until, "2027-03-01");
  EXPECT_EQ(at(suppression.at), "m.toml:35:1");
}

TEST(Manifest, IsFineWhenEmpty) {
  const auto manifest = parse_good("");
  EXPECT_TRUE(manifest.jobs.empty());
  EXPECT_EQ(manifest.report_dir, "/repo/stagegate-out");
  EXPECT_EQ(manifest.baseline_dir, "/repo/baselines");
  EXPECT_TRUE(manifest.use_baselines);
  EXPECT_EQ(at(manifest.baseline_at), "m.toml");
}

TEST(Manifest, TakesWindowsLineEndsAndAByteOrderMark) {
  const auto manifest = parse_good("\xef\xbb\xbf[jobs.a]\r\napp = 'a.py'\r\n[jobs.b]\r\napp = 'b.py'\r\n");
  ASSERT_EQ(manifest.jobs.size(), 2);
  EXPECT_EQ(manifest.jobs[0].app, "/repo/a.py");
  EXPECT_EQ(at(manifest.jobs[1].at), "m.toml:3:7");
}

TEST(Manifest, GivesSparkTheTextOfEveryKindOfValue) {
  const auto manifest = parse_good(R"([defaults.conf]
"spark.text" = "500m"
"spark.integer" = 1_000
"spark.negative" = -1
"spark.hex" = 0xff
"spark.fraction" = 0.9
"spark.whole" = 5.0
"spark.small" = 1e-7
"spark.large" = 1e20
"spark.yes" = true
"spark.no" = false
"spark.empty" = ""
)");
  EXPECT_EQ(manifest.defaults.conf, (Conf{{"spark.text", "500m"},
                                          {"spark.integer", "1000"},
                                          {"spark.negative", "-1"},
                                          {"spark.hex", "255"},
                                          {"spark.fraction", "0.9"},
                                          {"spark.whole", "5.0"},
                                          {"spark.small", "1e-07"},
                                          {"spark.large", "1e+20"},
                                          {"spark.yes", "true"},
                                          {"spark.no", "false"},
                                          {"spark.empty", ""}}));
}

TEST(Manifest, JoinsNestedConfWithDotsAndKeepsQuotedKeys) {
  const auto manifest = parse_good(R"([defaults]
conf = { "spark.speculation" = true, "spark.speculation.interval" = 1, spark.a.b = 2, spark.a."c.d" = 3 }
[variants.v.conf.spark.sql]
adaptive.enabled = true
)");
  EXPECT_EQ(manifest.defaults.conf,
            (Conf{{"spark.speculation", "true"}, {"spark.speculation.interval", "1"}, {"spark.a.b", "2"}, {"spark.a.c.d", "3"}}));
  EXPECT_EQ(manifest.variants[0].settings.conf, (Conf{{"spark.sql.adaptive.enabled", "true"}}));
}

TEST(Manifest, LeavesBracesInConfAndEnvironmentAlone) {
  const auto manifest = parse_good(R"([defaults]
conf = { "spark.x" = "-Did={{APP_ID}} {run_dir} {\"a\": 1}" }
env = { OUT = "{run_dir}/{x}", N = 4, DEBUG = true }
)");
  EXPECT_EQ(manifest.defaults.conf.at("spark.x"), R"(-Did={{APP_ID}} {run_dir} {"a": 1})");
  EXPECT_EQ(manifest.defaults.environment, (Conf{{"OUT", "{run_dir}/{x}"}, {"N", "4"}, {"DEBUG", "true"}}));
}

TEST(Manifest, FillsTheEnvironmentIntoEveryKindOfString) {
  const auto manifest = parse_good(R"(rules_dir = "${HOME}/rules"
[spark]
home = "${SPARK:-spark}"
[jobs.a]
command = ["${HOME}/run", "$$5", "${BRACES}", "{{x}}", "${NOT_SET:-{run_dir}}"]
owner = "${NOT_SET:-nobody}"
conf."spark.x" = "$${spark.y}"
env.A = "${BRACES}"
[rules.skew]
limit = "${NOT_SET:-1 MiB}"
[[suppress]]
rule = "skew"
reason = "${NOT_SET:-because}"
)");
  EXPECT_EQ(manifest.rules_dir, "/home/ada/rules");
  EXPECT_EQ(manifest.defaults.spark.home, "/repo/spark");
  EXPECT_EQ(manifest.jobs[0].command, (Words{"/home/ada/run", "$5", "{{job}}", "{{x}}", "{run_dir}"}));
  EXPECT_EQ(manifest.jobs[0].settings.owner, "nobody");
  EXPECT_EQ(manifest.jobs[0].settings.conf.at("spark.x"), "${spark.y}");
  EXPECT_EQ(manifest.jobs[0].settings.environment.at("A"), "{job}");
  EXPECT_EQ(std::get<std::string>(manifest.rules[0].parameters.at("limit").value), "1 MiB");
  EXPECT_EQ(manifest.suppressions[0].reason, "because");
}

TEST(Manifest, MakesPathsAbsoluteWithoutLookingAtAnyFile) {
  const auto manifest = parse_good(R"(rules_dir = "./rules/"
[spark]
home = "../spark//4.1/"
python = "python3.11"
[jobs.a]
app = "/opt/jobs/./a.JAR"
main_class = "com.example.A"
python = "./python"
[report]
dir = "."
[baseline]
dir = "/"
use = false
)");
  EXPECT_EQ(manifest.rules_dir, "/repo/rules");
  EXPECT_EQ(manifest.defaults.spark.home, "/spark/4.1");
  EXPECT_EQ(manifest.defaults.spark.python, "python3.11");
  EXPECT_EQ(manifest.jobs[0].app, "/opt/jobs/a.JAR");
  EXPECT_EQ(manifest.jobs[0].main_class, "com.example.A");
  EXPECT_EQ(manifest.jobs[0].settings.spark.python, "/repo/python");
  EXPECT_EQ(manifest.report_dir, "/repo");
  EXPECT_EQ(manifest.baseline_dir, "/");
  EXPECT_FALSE(manifest.use_baselines);
}

TEST(Manifest, KeepsParametersOfRulesAsTheyAreWritten) {
  const auto manifest = parse_good("[rules.x]\na = 5\nb = 5.0\nc = '5 MiB'\nd = true\n");
  const auto& parameters = manifest.rules[0].parameters;
  EXPECT_EQ(std::get<std::int64_t>(parameters.at("a").value), 5);
  EXPECT_EQ(std::get<double>(parameters.at("b").value), 5.0);
  EXPECT_EQ(std::get<std::string>(parameters.at("c").value), "5 MiB");
  EXPECT_TRUE(std::get<bool>(parameters.at("d").value));
  EXPECT_EQ(manifest.rules[0].level, std::nullopt);
}

TEST(Manifest, KeepsTheOrderOfTheFileAndAJobsPlaceIsItsOwnHeader) {
  const auto manifest = parse_good(R"([variants.z]
[variants.a]
[jobs.z.variant.a]
args = ["x"]
[jobs.y]
app = "y.sql"
[jobs.z]
app = "z.py"
)");
  ASSERT_EQ(manifest.variants.size(), 2);
  EXPECT_EQ(manifest.variants[0].name, "z");
  ASSERT_EQ(manifest.jobs.size(), 2);
  EXPECT_EQ(manifest.jobs[0].name, "y");
  EXPECT_EQ(manifest.jobs[1].name, "z");
  EXPECT_EQ(at(manifest.jobs[1].at), "m.toml:7:1");
  EXPECT_EQ(manifest.jobs[1].variant_settings.at("a").args, Words{"x"});
}

TEST(Manifest, SaysWhereTheEvidenceOfItsRunsIs) {
  const auto place = [](const std::string& text) { return parse(text)->evidence; };
  EXPECT_FALSE(place("").elsewhere());
  const auto shared = place("[evidence]\nevent_log_dir = 'logs'\nwait = '10 s'\n");
  EXPECT_EQ(shared.log_dir, "/repo/logs");
  EXPECT_TRUE(shared.log_dir_is_here);
  EXPECT_EQ(shared.wait, std::chrono::seconds(10));
  const auto address = place("[evidence]\nevent_log_dir = 'file:///mnt/events'\n");
  EXPECT_EQ(address.log_dir, "/mnt/events");
  EXPECT_TRUE(address.log_dir_is_here);
  const auto served = place(
      "[evidence]\nevent_log_dir = 'hdfs:///events'\nhistory_server = 'http://h:18080'\nuser = 'ann'\ntoken_env = 'T'\nca_file = "
      "'ca.pem'\n");
  EXPECT_EQ(served.log_dir, "hdfs:///events");
  EXPECT_FALSE(served.log_dir_is_here);
  EXPECT_EQ(served.history_server, "http://h:18080");
  EXPECT_EQ(served.user, "ann");
  EXPECT_EQ(served.token_variable, "T");
  EXPECT_EQ(served.ca_file, "/repo/ca.pem");
  EXPECT_EQ(served.wait, std::chrono::minutes(2));
}

}  // namespace
}  // namespace stagegate
