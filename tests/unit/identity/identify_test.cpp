#include "identity/identify.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unit/identity/applications.h"

namespace stagegate {
namespace {

std::vector<Stage> identified(const Application& application) {
  auto stages = pool_attempts(application);
  identify(application, stages);
  return stages;
}

using test::key_of;

TEST(Identify, LabelsSayWhatAStageDoes) {
  const auto stages = identified(test::revenue_job());
  EXPECT_EQ(key_of(stages, 0).label, "scan orders > shuffle by customer_id");
  EXPECT_EQ(key_of(stages, 1).label, "scan customers > shuffle by customer_id");
  EXPECT_EQ(key_of(stages, 4).label, "join orders, customers on customer_id > partial aggregate by country");
  EXPECT_EQ(key_of(stages, 8).label, "aggregate by country > write parquet to out");
}

TEST(Identify, TheAuthorsDescriptionStandsInFront) {
  const auto stages = identified(test::revenue_job({}, "write report"));
  EXPECT_EQ(key_of(stages, 8).label, "write report: aggregate by country > write parquet to out");
}

TEST(Identify, AJobGroupServesWhereThereIsNoDescription) {
  auto application = test::revenue_job();
  for (auto& stage : application.stages) {
    stage.group = "nightly";
  }
  EXPECT_EQ(key_of(identified(application), 0).label, "nightly: scan orders > shuffle by customer_id");
  for (auto& stage : application.stages) {
    stage.group = "9f1c2d3e-0000-4111-8222-333344445555";
  }
  EXPECT_EQ(key_of(identified(application), 0).label, "scan orders > shuffle by customer_id");
}

TEST(Identify, NothingThatSparkNumbersAnewMovesAKey) {
  const auto before = identified(test::revenue_job());
  const auto after = identified(test::revenue_job(
      {.orders = 3, .customers = 2, .join = 7, .result = 12, .accumulators = 500, .expressions = 90, .path = "file:/home/me/runs/2/out"}));
  EXPECT_EQ(key_of(before, 0), key_of(after, 3));
  EXPECT_EQ(key_of(before, 1), key_of(after, 2));
  EXPECT_EQ(key_of(before, 4), key_of(after, 7));
  EXPECT_EQ(key_of(before, 8), key_of(after, 12));
}

TEST(Identify, FingerprintsAreHexAndUnique) {
  std::set<std::string> fingerprints;
  for (const auto& stage : identified(test::revenue_job())) {
    EXPECT_EQ(stage.key.fingerprint.size(), 16U);
    EXPECT_EQ(stage.key.fingerprint.find_first_not_of("0123456789abcdef"), std::string::npos);
    fingerprints.insert(stage.key.fingerprint);
  }
  EXPECT_EQ(fingerprints.size(), 4U);
}

TEST(Identify, AnotherFilterIsAnotherFingerprintUnderTheSameLabel) {
  const auto before = identified(test::revenue_job());
  auto changed = test::revenue_job();
  test::edit_nodes(changed.executions[0].plan, [](PlanNodeDraft& node) {
    if (node.name == "Filter") {
      node.simple_string = "Filter (isnotnull(customer_id#1L) AND (status#5 = paid))";
    }
  });
  const auto after = identified(changed);
  EXPECT_NE(key_of(before, 0).fingerprint, key_of(after, 0).fingerprint);
  EXPECT_EQ(key_of(before, 0).label, key_of(after, 0).label);
  EXPECT_EQ(key_of(before, 4), key_of(after, 4)) << "a change upstream must not move what is downstream";
}

// Two scans of one table that nothing but what reads them tells apart: a join of the table with itself, then a join with others.
Application equal_scans(std::int32_t first, std::int32_t second, std::int64_t written) {
  Application application;
  application.executions.resize(1);
  std::vector<PlanNodeDraft> plan;
  test::add_node(plan, 0, "Union", "Union", {1});
  const auto sum = test::add_node(plan, 0, "HashAggregate", "HashAggregate(keys=[a#1], functions=[sum(b#2)])", {2});
  test::add_scan(plan, test::add_node(plan, sum, "Exchange", "Exchange hashpartitioning(a#1, 200)", {3}), "t", 4);
  const auto window = test::add_node(plan, 0, "Window", "Window [rank() AS r#3], [a#1], [b#2]", {5});
  const auto outer = test::add_node(plan, window, "Exchange", "Exchange hashpartitioning(c#1, 200)", {6});
  const auto distinct = test::add_node(plan, outer, "HashAggregate", "HashAggregate(keys=[a#1], functions=[])", {7});
  test::add_scan(plan, test::add_node(plan, distinct, "Exchange", "Exchange hashpartitioning(a#1, 200)", {8}), "t", 9);
  application.executions[0].plan = plan_of(plan);
  application.stages = {
      test::stage_of({.id = first,
                      .execution = 0,
                      .accumulators = {3, 4},
                      .rdd = 1,
                      .reads = {},
                      .input_records = 100,
                      .shuffle_read_records = 0,
                      .shuffle_write_bytes = 10,
                      .shuffle_write_records = 100}),
      test::stage_of({.id = second,
                      .execution = 0,
                      .accumulators = {8, 9},
                      .rdd = 2,
                      .reads = {},
                      .input_records = 100,
                      .shuffle_read_records = 0,
                      .shuffle_write_bytes = written,
                      .shuffle_write_records = 100}),
      test::stage_of({.id = 5,
                      .execution = 0,
                      .accumulators = {6, 7, 8},
                      .rdd = 3,
                      .reads = {2},
                      .input_records = 0,
                      .shuffle_read_records = 100,
                      .shuffle_write_bytes = 5,
                      .shuffle_write_records = 5}),
      test::stage_of({.id = 6,
                      .execution = 0,
                      .accumulators = {1, 2, 3, 5, 6},
                      .rdd = 4,
                      .reads = {1, 3},
                      .input_records = 0,
                      .shuffle_read_records = 105,
                      .shuffle_write_bytes = 0,
                      .shuffle_write_records = 0}),
  };
  std::sort(application.stages.begin(), application.stages.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return application;
}

TEST(Identify, EqualSiblingsAreToldApartByWhatReadsThem) {
  const auto before = identified(equal_scans(0, 1, 10));
  const auto after = identified(equal_scans(1, 0, 10));
  EXPECT_NE(key_of(before, 0).fingerprint, key_of(before, 1).fingerprint);
  EXPECT_EQ(key_of(before, 0), key_of(after, 1));
  EXPECT_EQ(key_of(before, 1), key_of(after, 0));
  EXPECT_EQ((std::set<std::string>{key_of(before, 0).label, key_of(before, 1).label}),
            (std::set<std::string>{"scan t > shuffle by a", "scan t > shuffle by a (2)"}));
}

// The same action three times over other amounts of data.
Application repeated(const std::vector<std::int64_t>& records, std::int32_t first_id) {
  Application application;
  for (std::size_t i = 0; i < records.size(); ++i) {
    auto& execution = application.executions.emplace_back();
    const auto base = static_cast<std::int64_t>(10 * (i + 1));
    execution.id = static_cast<std::int64_t>(i);
    std::vector<PlanNodeDraft> plan;
    test::add_scan(plan, test::add_node(plan, 0, "Exchange", "Exchange hashpartitioning(a#1, 200)", {base}), "t", base + 1);
    execution.plan = plan_of(plan);
    application.stages.push_back(test::stage_of({.id = first_id + static_cast<std::int32_t>(i),
                                                 .execution = execution.id,
                                                 .accumulators = {base, base + 1},
                                                 .rdd = base,
                                                 .reads = {},
                                                 .input_records = records[i],
                                                 .shuffle_read_records = 0,
                                                 .shuffle_write_bytes = 1,
                                                 .shuffle_write_records = 1}));
  }
  return application;
}

TEST(Identify, WhatIsEqualStillIsRankedByRecordsLargestFirst) {
  const auto before = identified(repeated({10, 30, 20}, 0));
  const auto after = identified(repeated({20, 10, 30}, 5));
  EXPECT_EQ(key_of(before, 1).label, "scan t > shuffle by a");
  EXPECT_EQ(key_of(before, 2).label, "scan t > shuffle by a (2)");
  EXPECT_EQ(key_of(before, 0).label, "scan t > shuffle by a (3)");
  EXPECT_EQ(key_of(before, 0), key_of(after, 6));
  EXPECT_EQ(key_of(before, 1), key_of(after, 7));
  EXPECT_EQ(key_of(before, 2), key_of(after, 5));
}

TEST(Identify, OfTotalEqualsTheOrderOfExecutionsDecides) {
  const auto stages = identified(repeated({10, 10}, 3));
  EXPECT_EQ(key_of(stages, 3).label, "scan t > shuffle by a");
  EXPECT_EQ(key_of(stages, 4).label, "scan t > shuffle by a (2)");
  EXPECT_NE(key_of(stages, 3).fingerprint, key_of(stages, 4).fingerprint);
}

StageAttempt rdd_stage(std::int32_t id, const std::string& name, std::vector<RddInfo> rdds) {
  StageAttempt stage;
  stage.id = id;
  stage.status = StageStatus::complete;
  stage.name = name;
  stage.rdds = std::move(rdds);
  return stage;
}

TEST(Identify, RddStagesGoByTheirCallSiteWithoutItsLine) {
  const auto job = [](int line, std::int64_t rdd) {
    const auto at = " at /app/sessions.py:" + std::to_string(line);
    Application application;
    application.stages = {rdd_stage(0, "reduceByKey" + at,
                                    {{rdd + 1, "PairwiseRDD", "", "reduceByKey" + at, {rdd}},
                                     {rdd, "/data/2026-11-29/weblog", "textFile", "textFile" + at, {}}}),
                          rdd_stage(1, "count" + at, {{rdd + 2, "PythonRDD", "", "count" + at, {rdd + 1}}})};
    return identified(application);
  };
  const auto before = job(9, 3);
  const auto after = job(12, 40);
  EXPECT_EQ(key_of(before, 0).label, "scan weblog > reduceByKey at sessions.py");
  EXPECT_EQ(key_of(before, 1).label, "count at sessions.py");
  EXPECT_EQ(key_of(before, 0), key_of(after, 0));
  EXPECT_EQ(key_of(before, 1), key_of(after, 1));
}

TEST(Identify, TheFoldersAboveAFileMayHaveAnyName) {
  const auto job = [](const std::string& file) {
    const std::string at = "reduceByKey at /app/sessions.py:3";
    Application application;
    application.stages = {rdd_stage(0, at, {{1, "PairwiseRDD", "", at, {0}}, {0, file, "textFile", "textFile at /app/sessions.py:2", {}}})};
    return identified(application);
  };
  const auto plain = job("/data/weblog");
  EXPECT_EQ(key_of(plain, 0).label, "scan weblog > reduceByKey at sessions.py");
  EXPECT_EQ(key_of(job("/my data, 2/weblog"), 0), key_of(plain, 0));
  EXPECT_EQ(key_of(job("file:/my data/weblog"), 0), key_of(plain, 0));
}

TEST(Identify, TheLookAtParquetFootersHasANameOfItsOwn) {
  Application application;
  const std::string at = "parquet at NativeMethodAccessorImpl.java:0";
  application.stages = {
      rdd_stage(0, at, {{1, "MapPartitionsRDD", "mapPartitions", at, {0}}, {0, "ParallelCollectionRDD", "parallelize", at, {}}})};
  EXPECT_EQ(key_of(identified(application), 0).label, "read parquet schema");
}

TEST(Identify, AStageOfWhichNothingIsKnownStillHasAKey) {
  Application application;
  application.stages = {rdd_stage(0, "", {}), rdd_stage(1, "$anonfun$run$1 at FutureTask.java:264", {})};
  const auto stages = identified(application);
  EXPECT_EQ(key_of(stages, 0).label, "stage");
  EXPECT_EQ(key_of(stages, 1).label, "stage (2)");
  EXPECT_NE(key_of(stages, 0).fingerprint, key_of(stages, 1).fingerprint);
}

}  // namespace
}  // namespace stagegate
