#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "manifest/manifest.h"
#include "unit/manifest/parse.h"

namespace stagegate {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view kTwoJobs = R"([jobs.revenue]
app = "revenue.py"
variants = ["slow", "fast"]
[jobs.orders]
command = ["python", "orders.py"]
[variants.fast]
[variants.slow]
[variants.spark-3]
)";

// "job/variant job/variant", or the error.
std::string resolved(std::string_view text, const Selection& selection) {
  const auto job_variants = resolve(parse_good(text), selection);
  if (!job_variants) {
    return job_variants.error().message;
  }
  std::string all;
  for (const auto& one : *job_variants) {
    all += (all.empty() ? "" : " ") + one.job + "/" + one.variant;
  }
  return all;
}

ErrorKind kind_of_error(std::string_view text, const Selection& selection) {
  const auto job_variants = resolve(parse_good(text), selection);
  return job_variants ? ErrorKind::internal : job_variants.error().kind;
}

JobVariant the_only_one(std::string_view text, const Selection& selection = {}) {
  const auto job_variants = resolve(parse_good(text), selection);
  EXPECT_TRUE(job_variants && job_variants->size() == 1);
  return job_variants && !job_variants->empty() ? job_variants->front() : JobVariant{};
}

TEST(Resolve, TakesJobsInTheOrderOfTheFileAndVariantsAsTheJobListsThem) {
  EXPECT_EQ(resolved(kTwoJobs, {}), "revenue/slow revenue/fast orders/fast orders/slow orders/spark-3");
}

TEST(Resolve, SelectsByGlobs) {
  EXPECT_EQ(resolved(kTwoJobs, {.jobs = {"rev*"}, .variants = {}, .conf = {}}), "revenue/slow revenue/fast");
  EXPECT_EQ(resolved(kTwoJobs, {.jobs = {"orders", "revenue"}, .variants = {"?low"}, .conf = {}}), "revenue/slow orders/slow");
  EXPECT_EQ(resolved(kTwoJobs, {.jobs = {}, .variants = {"spark-*", "fast"}, .conf = {}}), "revenue/fast orders/fast orders/spark-3");
}

TEST(Resolve, AVariantNeedFitOnlyOneOfTheSelectedJobs) {
  EXPECT_EQ(resolved(kTwoJobs, {.jobs = {}, .variants = {"spark-3"}, .conf = {}}), "orders/spark-3");
}

TEST(Resolve, SaysWhetherAPythonIsOfTheVariantAlone) {
  constexpr std::string_view kManifest = R"([spark]
python = "python-of-all"
[jobs.a]
app = "a.py"
[variants.plain]
[variants.spark-3]
python = "python-of-one"
)";
  const auto job_variants = resolve(parse_good(kManifest), {});
  ASSERT_TRUE(job_variants);
  EXPECT_FALSE((*job_variants)[0].spark.python_is_own);
  EXPECT_TRUE((*job_variants)[1].spark.python_is_own);
}

TEST(Resolve, AGlobThatFitsNothingIsAUsageErrorThatListsWhatThereIs) {
  const Selection misspelt{.jobs = {"revenu"}, .variants = {}, .conf = {}};
  EXPECT_EQ(resolved(kTwoJobs, misspelt), "no job of m.toml fits 'revenu'; did you mean 'revenue'? There are: revenue, orders");
  EXPECT_EQ(kind_of_error(kTwoJobs, misspelt), ErrorKind::usage);
  EXPECT_EQ(resolved(kTwoJobs, {.jobs = {"x*", "orders", ""}, .variants = {}, .conf = {}}),
            "no job of m.toml fits 'x*'; there are: revenue, orders\n"
            "no job of m.toml fits ''; there are: revenue, orders");
  const Selection of_another_job{.jobs = {"revenue"}, .variants = {"spark-3"}, .conf = {}};
  EXPECT_EQ(resolved(kTwoJobs, of_another_job), "no variant of m.toml's revenue fits 'spark-3'; there are: slow, fast");
  EXPECT_EQ(kind_of_error(kTwoJobs, of_another_job), ErrorKind::usage);
  EXPECT_EQ(resolved(kTwoJobs, {.jobs = {}, .variants = {"fats"}, .conf = {}}),
            "no variant of m.toml's revenue, orders fits 'fats'; did you mean 'fast'? There are: slow, fast, spark-3");
}

TEST(Resolve, AManifestWithoutAJobIsNothingToDo) {
  EXPECT_EQ(resolved("[variants.a]\n", {}), "m.toml has no job; add a [jobs.NAME] table");
  EXPECT_EQ(kind_of_error("[variants.a]\n", {}), ErrorKind::nothing);
}

TEST(Resolve, WithoutVariantsAJobRunsOnceAsDefault) {
  const auto only = the_only_one("\n[jobs.a]\napp = 'a.py'\n[jobs.a.variant.default]\nargs = ['x']\n");
  EXPECT_EQ(only.variant, "default");
  EXPECT_EQ(to_string(only.job_at), "m.toml:2:7");
  EXPECT_EQ(to_string(only.variant_at), "m.toml:2:7");
  EXPECT_EQ(only.args, Words{"x"});
}

TEST(Resolve, AVariantsPlaceIsItsTable) {
  EXPECT_EQ(to_string(the_only_one("[jobs.a]\napp = 'a.py'\n[variants.v]\n").variant_at), "m.toml:3:11");
}

constexpr std::string_view kLayers = R"([defaults]
conf = { spark.a = "defaults", spark.b = "defaults", spark.c = "defaults", spark.d = "defaults", spark.e = "defaults" }
env = { A = "defaults", B = "defaults" }
args = ["defaults"]
timeout = "15 min"
owner = "everyone"
[jobs.j]
app = "j.jar"
main_class = "com.example.J"
conf = { spark.b = "job", spark.c = "job", spark.d = "job", spark.e = "job" }
env = { B = "job", C = "job" }
owner = "@team"
[jobs.j.variant.v]
conf = { spark.d = "own", spark.e = "own" }
timeout = "0 s"
[variants.v]
conf = { spark.c = "variant", spark.d = "variant", spark.e = "variant" }
args = ["variant"]
timeout = "20 s"
)";

TEST(Resolve, LaysConfOverEachOtherAndKeepsWhereItCameFrom) {
  const auto only = the_only_one(kLayers, {.jobs = {}, .variants = {}, .conf = {{"spark.e", "1"}, {"spark.e", "2"}, {"spark.f", "3"}}});
  const std::vector<std::pair<std::string, std::string>> expected{
      {"spark.a", "defaults from [defaults]"},    {"spark.b", "job from [jobs.j]"}, {"spark.c", "variant from [variants.v]"},
      {"spark.d", "own from [jobs.j.variant.v]"}, {"spark.e", "2 from --conf"},     {"spark.f", "3 from --conf"}};
  std::vector<std::pair<std::string, std::string>> conf;
  for (const auto& [key, value] : only.conf) {
    conf.emplace_back(key, value.value + " from " + value.origin);
  }
  EXPECT_EQ(conf, expected);
}

TEST(Resolve, MergesTheEnvironmentAndReplacesTheRest) {
  const auto only = the_only_one(kLayers);
  EXPECT_EQ(only.environment, (std::map<std::string, std::string>{{"A", "defaults"}, {"B", "job"}, {"C", "job"}}));
  EXPECT_EQ(only.args, Words{"variant"});
  EXPECT_EQ(only.timeout, std::chrono::seconds(0));
  EXPECT_EQ(only.owner, "@team");
  EXPECT_EQ(only.app, "/repo/j.jar");
  EXPECT_EQ(only.main_class, "com.example.J");
  EXPECT_EQ(only.manifest_dir, "/repo");
}

TEST(Resolve, WithoutATimeoutThereIsNone) {
  EXPECT_EQ(the_only_one("[jobs.a]\napp = 'a.py'\n").timeout, std::chrono::minutes(0));
}

TEST(Resolve, AVariantsPythonIsNotHiddenByASparkFolderFromBelow) {
  const auto spark =
      the_only_one("[spark]\nhome = '/opt/spark'\nmaster = 'local[2]'\n[jobs.a]\napp = 'a.py'\n[variants.v]\npython = 'python3'\n").spark;
  EXPECT_EQ(spark.home, std::nullopt);
  EXPECT_EQ(spark.python, "python3");
  EXPECT_EQ(spark.master, "local[2]");
}

TEST(Resolve, AVariantsSparkFolderKeepsThePythonFromBelow) {
  const auto spark =
      the_only_one("[spark]\npython = 'python3'\n[jobs.a]\napp = 'a.py'\nmaster = 'local[8]'\n[variants.v]\nhome = 'spark-3'\n").spark;
  EXPECT_EQ(spark.home, "/repo/spark-3");
  EXPECT_EQ(spark.python, "python3");
  EXPECT_EQ(spark.master, "local[8]");
}

TEST(Resolve, LaysTheNumberOfRunsOverAsOtherSettings) {
  const std::string job = "[jobs.a]\napp = 'a.py'\n";
  const std::string text = "[defaults]\nruns = 2\n" + job + "runs = 3\n[variants.v]\nruns = 4\n[jobs.a.variant.v]\nruns = 5\n";
  EXPECT_EQ(the_only_one(job).runs, 1);
  EXPECT_EQ(the_only_one("[defaults]\nruns = 2\n" + job).runs, 2);
  EXPECT_EQ(the_only_one("[defaults]\nruns = 2\n" + job + "runs = 1\n").runs, 1);
  EXPECT_EQ(the_only_one(job + "runs = 3\n[variants.v]\nruns = 100\n").runs, 100);
  EXPECT_EQ(the_only_one(text).runs, 5);
  EXPECT_EQ(the_only_one(text, {.jobs = {}, .variants = {}, .conf = {}, .runs = 6}).runs, 6);
}

}  // namespace
}  // namespace stagegate
