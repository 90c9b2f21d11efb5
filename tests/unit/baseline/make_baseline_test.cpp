#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "baseline/baseline_json.h"
#include "baseline/judge.h"
#include "unit/baseline/baselines.h"

namespace stagegate {
namespace {

Distribution sum_of(std::int64_t sum) {
  return distribution_of({sum});
}

JobVariant revenue() {
  JobVariant job_variant;
  job_variant.job = "revenue";
  job_variant.variant = "adaptive-off";
  job_variant.manifest_dir = "/home/me/repo";
  job_variant.conf = {{"spark.sql.adaptive.enabled", {"false", "[variants.adaptive-off]"}}};
  return job_variant;
}

Stage stage_of(std::int32_t id, const std::string& label, const std::string& fingerprint) {
  Stage stage;
  stage.id = id;
  stage.key = {.label = label, .fingerprint = fingerprint};
  stage.tasks = 4;
  return stage;
}

TEST(MakeBaseline, KeepsWhatMovesWithJobAndDataAlone) {
  auto stage = stage_of(3, "scan orders", "f1");
  for (const auto& info : kMetrics) {
    stage.metrics[index_of(info.metric)] = sum_of(static_cast<std::int64_t>(index_of(info.metric)) + 1);
  }
  Application application;
  application.id = "local-1795979962446";
  application.spark_version = "3.5.8-amzn-0";
  application.cores = 4;
  const auto baseline = make_baseline(revenue(), application, std::vector{stage}, {});
  EXPECT_EQ(write_baseline(baseline), R"({
  "conditions": {
    "conf": {
      "spark.sql.adaptive.enabled": "false"
    },
    "cores": 4,
    "source_records": {
      "scan orders": 7
    },
    "spark": "3.5"
  },
  "findings": [],
  "job": "revenue",
  "order": [],
  "schema": "stagegate.baseline/2",
  "stages": [
    {
      "fingerprint": "f1",
      "label": "scan orders",
      "purpose": "",
      "reads": [],
      "tasks": 4,
      "totals": {
        "input_records": 7,
        "output": 2,
        "output_records": 8,
        "shuffle_read": 3,
        "shuffle_read_records": 9,
        "shuffle_write": 4,
        "shuffle_write_records": 10
      },
      "work": []
    }
  ],
  "variant": "adaptive-off"
}
)");
}

TEST(MakeBaseline, StagesWithoutAnyMetricAreListedWithTheirTasks) {
  const auto baseline = make_baseline(revenue(), Application{}, std::vector{stage_of(0, "b", "f2"), stage_of(1, "a", "f1")}, {});
  ASSERT_EQ(baseline.stages.size(), 2U);
  EXPECT_EQ(baseline.stages[0].key.label, "a");
  EXPECT_EQ(baseline.stages[0].tasks, 4);
  EXPECT_EQ(baseline.stages[0].totals, PerMetric<Seen>{});
  EXPECT_TRUE(baseline.conditions.source_records.empty());
  EXPECT_FALSE(baseline.conditions.cores);
}

TEST(MakeBaseline, FindingsComeByRuleThenLabel) {
  const std::vector<Finding> findings{
      {.rule = "small-tasks", .stage_label = "a", .stage_fingerprint = "f1", .message = "", .advice = ""},
      {.rule = "skew", .stage_label = "c", .stage_fingerprint = "f3", .message = "", .advice = ""},
      {.rule = "skew", .stage_label = "b", .stage_fingerprint = "f2", .value_thousandths = 9400, .message = "", .advice = ""}};
  const auto baseline = make_baseline(revenue(), Application{}, {}, findings);
  ASSERT_EQ(baseline.findings.size(), 3U);
  EXPECT_EQ(baseline.findings[0].stage_label, "b");
  EXPECT_EQ(baseline.findings[0].value_thousandths, 9400);
  EXPECT_EQ(baseline.findings[1].stage_label, "c");
  EXPECT_EQ(baseline.findings[2].rule, "small-tasks");
}

TEST(MakeBaseline, FindingsThatComeOfComparingAreNotKept) {
  Finding growth{.rule = "growth", .stage_label = "a", .stage_fingerprint = "f1", .message = "", .advice = ""};
  growth.compares_with_baseline = true;
  EXPECT_TRUE(make_baseline(revenue(), Application{}, {}, std::vector{growth}).findings.empty());
}

// A cache is read in batches: 50 records for 500,000 rows.
TEST(MakeBaseline, RecordsReadFromACacheAreNotTheDatas) {
  Application application;
  auto& execution = application.executions.emplace_back();
  execution.plan = plan_of(
      std::vector<PlanNodeDraft>{{.name = "InMemoryTableScan", .simple_string = "", .children = {1}, .accumulators = {1}, .metadata = {}},
                                 {.name = "Scan parquet ", .simple_string = "", .children = {}, .accumulators = {2}, .metadata = {}}});
  const auto add = [&](std::int32_t id, std::vector<std::int64_t> accumulators) {
    auto& attempt = application.stages.emplace_back();
    attempt.id = id;
    attempt.accumulators = std::move(accumulators);
    auto stage = stage_of(id, "stage " + std::to_string(id), "f" + std::to_string(id));
    stage.sql_execution = 0;
    stage.metrics[index_of(Metric::input_records)] = sum_of(50);
    return stage;
  };
  const std::vector<Stage> stages{add(0, {1, 2}), add(1, {1}), add(2, {2}), add(3, {})};
  const auto baseline = make_baseline(revenue(), application, stages, {});
  EXPECT_EQ(baseline.conditions.source_records, (std::map<std::string, std::int64_t>{{"stage 0", 50}, {"stage 2", 50}, {"stage 3", 50}}));
}

TEST(MakeBaseline, VersionsAreComparedByMajorAndMinor) {
  const auto version_of = [](std::optional<std::string> version) {
    Application application;
    application.spark_version = std::move(version);
    return make_baseline(revenue(), application, {}, {}).conditions.spark;
  };
  EXPECT_EQ(version_of("4.1.1"), "4.1");
  EXPECT_EQ(version_of("4.3.0-SNAPSHOT"), "4.3");
  EXPECT_EQ(version_of("4.3-preview"), "4.3");
  EXPECT_EQ(version_of("4"), "4");
  EXPECT_EQ(version_of(std::nullopt), "");
}

}  // namespace
}  // namespace stagegate
