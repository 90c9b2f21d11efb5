#include "report/stage_view.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "base/text.h"
#include "report/terminal.h"
#include "support/plans.h"
#include "unit/report/golden.h"
#include "unit/report/samples.h"
#include "unit/report/stage_sample.h"

namespace stagegate {
namespace {

namespace json = boost::json;

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

Finding finding_at(std::int32_t stage) {
  auto finding = skew_finding();
  finding.stage_id = stage;
  finding.stage_label = "sales by country: aggregate by country";
  return finding;
}

// What is said of a stage that is not there.
std::string refusal(const Application& application, const StageChoice& choice) {
  const auto view = view_stage(application, {}, {}, choice, {});
  EXPECT_FALSE(view);
  EXPECT_TRUE(view || view.error().kind == ErrorKind::usage);
  return view ? "" : view.error().message;
}

Application application_with_ids(const std::vector<std::int32_t>& ids) {
  Application application;
  for (const auto id : ids) {
    StageAttempt attempt;
    attempt.id = id;
    application.stages.push_back(attempt);
  }
  return application;
}

std::string text_of(const StageChoice& choice, const StageTextOptions& options = {}) {
  const auto application = sales_application();
  const std::vector<Finding> findings{finding_at(7), finding_at(0)};
  const auto view = view_stage(application, sales_stages(), findings, choice, sales_neighbours());
  return render_stage_text(*view, options);
}

TEST(StageView, NamesTheStagesThatThereAre) {
  const auto application = application_with_ids({0, 1, 5, 28});
  EXPECT_EQ(refusal(application, {.id = 99, .attempt = {}}), "there is no stage 99; the application has stages 0 to 28");
  EXPECT_EQ(refusal(application, {.id = 3, .attempt = {}}),
            "there is no stage 3; the application has stages 0 to 28, the nearest are 1 and 5");
  EXPECT_EQ(refusal(application_with_ids({4}), {.id = 0, .attempt = {}}), "there is no stage 0; the application has only stage 4");
  EXPECT_EQ(refusal(Application(), {.id = 0, .attempt = {}}), "there is no stage 0; the application has no stages");
  EXPECT_EQ(refusal(sales_application(), {.id = 7, .attempt = 3}), "there is no attempt 7.3; the stage has 7.0, 7.1");
}

TEST(StageView, TakesTheLargestTasksByTheMetricThatTellsMost) {
  const auto application = sales_application();
  const auto largest = large_tasks(application, application.stages.back());
  EXPECT_EQ(largest.by, Metric::shuffle_read_bytes);
  EXPECT_EQ(largest.median.as_double(), 25.0 * 1024);
  ASSERT_EQ(largest.tasks.size(), 4U);
  EXPECT_EQ(largest.tasks[0].partition, 3);
  EXPECT_EQ(largest.tasks[0].task_id, 14);
  EXPECT_EQ(largest.tasks[0].attempt_number, 1);
  EXPECT_EQ(largest.tasks[0].place->host, "worker-b");
  EXPECT_EQ(largest.tasks[0].records, 1000);
  EXPECT_EQ(largest.tasks[3].partition, 0);
  EXPECT_EQ(large_tasks(application, application.stages.front()).by, Metric::input_bytes);
}

TEST(StageView, ShowsAtMostFiveTasksAndTheLowerPartitionFirstAmongEquals) {
  StageAttempt attempt;
  const std::vector<std::int64_t> times{5, 9, 9, 1, 9, 9, 9, 9};
  attempt.winners.partitions = PackedColumn({7, 6, 5, 4, 3, 2, 1, 0});
  attempt.winners.metrics[index_of(Metric::duration_ms)] = PackedColumn(times);
  attempt.distributions[index_of(Metric::duration_ms)] = distribution_of(times);
  const auto largest = large_tasks(Application(), attempt);
  EXPECT_EQ(largest.by, Metric::duration_ms);
  std::vector<std::int64_t> partitions;
  for (const auto& task : largest.tasks) {
    partitions.push_back(task.partition);
    EXPECT_FALSE(task.task_id || task.records || task.place != nullptr);
  }
  EXPECT_EQ(partitions, (std::vector<std::int64_t>{0, 1, 2, 3, 5}));
}

TEST(StageOperators, AreThoseThatTheStageUpdatedAsRowsFlow) {
  const auto application = sales_application();
  const auto reading = stage_operators(application, application.stages.back());
  ASSERT_EQ(reading.size(), 2U);
  EXPECT_EQ(reading[0].node->name, "Exchange");
  ASSERT_EQ(reading[0].metrics.size(), 2U) << "what it read and what the driver counted, not what another stage wrote";
  EXPECT_EQ(reading[0].metrics[0].name, "records read");
  EXPECT_EQ(reading[0].metrics[1].name, "number of partitions");
  EXPECT_EQ(reading[1].node->name, "HashAggregate");
  ASSERT_EQ(reading[1].metrics.size(), 2U) << "the sum of averages is left out";
  EXPECT_EQ(reading[1].metrics[1].value, 2'000'000'000);
  const auto writing = stage_operators(application, application.stages.front());
  ASSERT_EQ(writing.size(), 2U);
  EXPECT_EQ(writing[0].node->name, "Scan parquet");
  EXPECT_EQ(writing[1].metrics[0].name, "shuffle bytes written");
}

TEST(StageOperators, AreShownOnceWhereAPlanHasCopiesOfThem) {
  auto application = sales_application();
  auto plan = test::drafts_of(application.executions[0].plan);
  plan[0].children.push_back(static_cast<std::uint32_t>(plan.size()));
  plan.push_back(plan[2]);  // the scan again, below a reused exchange
  application.executions[0].plan = plan_of(plan);
  EXPECT_EQ(stage_operators(application, application.stages.front()).size(), 2U);
}

TEST(StageText, ShowsBothAttempts) {
  expect_golden("stage.txt", text_of({.id = 7, .attempt = {}}));
}

TEST(StageText, ShowsTheAttemptThatWasAskedForInAscii) {
  const auto text = text_of({.id = 7, .attempt = 1}, {.color = Color::off, .glyphs = Glyphs::ascii, .width = 80});
  EXPECT_FALSE(has(text, "attempt 7\n"));
  EXPECT_TRUE(has(text, "\nattempt 7.1\n"));
  for (const char c : text) {
    EXPECT_LT(static_cast<unsigned char>(c), 0x80);
  }
}

TEST(StageText, LeavesColumnsOutWhereTheyDoNotFit) {
  for (const std::size_t width : {80U, 100U, 120U}) {
    const auto text = text_of({.id = 7, .attempt = 1}, {.color = Color::off, .glyphs = Glyphs::unicode, .width = width});
    for (const auto& line : split(text.substr(0, text.find("\n1 finding")), '\n')) {
      EXPECT_LE(display_width(line), width) << line;
    }
    EXPECT_EQ(has(text, "p25"), width >= 100);
  }
}

TEST(StageText, NeverShowsAsZeroWhatIsNotKnown) {
  const auto text = text_of({.id = 4, .attempt = {}});
  EXPECT_EQ(text,
            "sales (app-1)\n"
            "Spark 4.3.0, 32.1 s, 4 cores, complete\n"
            "\n"
            "stage 4: count at sales.py:9\n"
            "  name in Spark  count at sales.py:9\n"
            "  reads from     stage 0: scan sales > shuffle by country\n"
            "  status         skipped: what it would have written was there already\n");
}

TEST(StageText, OfASingleTaskHasOneNumberAMetric) {
  const auto text = text_of({.id = 0, .attempt = {}});
  EXPECT_TRUE(has(text, "\nmetrics  of its only task\n  input          2 KiB\n  input records     30\n\nits task\n")) << text;
}

TEST(StageText, GivesATerminalNoEscapesOfTheJob) {
  auto application = sales_application();
  const std::string nasty = "\x1b]0;title\a\x1b[31mred\nnext";
  for (auto& attempt : application.stages) {
    attempt.name = nasty;
    attempt.group = nasty;
    attempt.description = nasty;
    attempt.failure_reason = nasty;
    for (auto& failure : attempt.failures) {
      failure = {.reason = nasty, .error_class = nasty, .message = nasty, .count = 1, .first_partition = 0, .first_executor = nasty};
    }
    for (auto& rdd : attempt.rdds) {
      rdd.name = nasty;
    }
  }
  test::edit_nodes(application.executions[0].plan, [&](PlanNodeDraft& node) {
    node.name = nasty;
    node.simple_string = nasty;
  });
  application.executions[0].description = nasty;
  application.plan_metric_names[0] = nasty;
  application.places[1] = {.executor = nasty, .host = nasty};
  application.resource_profiles[0].executor[nasty] = nasty;
  auto stages = sales_stages();
  stages[1].key.label = nasty;
  const auto view = view_stage(application, stages, {}, {.id = 7, .attempt = {}}, {.reads_from = {7}, .read_by = {}});
  const auto text = render_stage_text(*view, {});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\a'), std::string::npos);
  EXPECT_FALSE(has(text, "\nnext"));
}

TEST(StageText, PaintsFailuresRed) {
  const auto text = text_of({.id = 7, .attempt = {}}, {.color = Color::on, .glyphs = Glyphs::unicode, .width = 120});
  EXPECT_TRUE(has(text, "\x1b[31mFAILED\x1b[0m"));
  EXPECT_TRUE(has(text, "\x1b[31m4 x ExceptionFailure: java.lang.OutOfMemoryError\x1b[0m"));
}

std::vector<std::string> member_names(const json::value& object) {
  std::vector<std::string> names;
  for (const auto& member : object.as_object()) {
    names.emplace_back(member.key());
  }
  return names;
}

json::value json_of(const StageChoice& choice) {
  const auto application = sales_application();
  const std::vector<Finding> findings{finding_at(7), finding_at(0)};
  return json::parse(render_stage_json(*view_stage(application, sales_stages(), findings, choice, sales_neighbours())));
}

TEST(StageJson, HasTheMembersOfItsSchemaInTheirOrder) {
  const auto stage = json_of({.id = 7, .attempt = {}});
  using Names = std::vector<std::string>;
  EXPECT_EQ(member_names(stage), (Names{"schema", "application", "evidence", "stage", "attempts", "findings"}));
  EXPECT_EQ(stage.at("schema"), "stagegate.stage/1");
  EXPECT_EQ(member_names(stage.at("stage")), (Names{"id", "label", "fingerprint", "reads_from", "read_by"}));
  EXPECT_EQ(stage.at("stage").at("reads_from").at(0).at("label"), "scan sales > shuffle by country");
  ASSERT_EQ(stage.at("attempts").as_array().size(), 2U);
  const auto& attempt = stage.at("attempts").at(1);
  EXPECT_EQ(member_names(attempt), (Names{"id",
                                          "attempt",
                                          "name",
                                          "label",
                                          "fingerprint",
                                          "location",
                                          "status",
                                          "failure_reason",
                                          "jobs",
                                          "group",
                                          "description",
                                          "sql_execution",
                                          "tasks",
                                          "bytes",
                                          "records",
                                          "wasted",
                                          "distribution",
                                          "submitted_ms",
                                          "completed_ms",
                                          "cores",
                                          "metrics",
                                          "wasted_totals",
                                          "largest_tasks",
                                          "failures",
                                          "other_failures",
                                          "operators",
                                          "cached_rdds",
                                          "resource_profile"}));
  EXPECT_EQ(member_names(attempt.at("metrics").at("shuffle_read")),
            (Names{"unit", "tasks", "min", "p25", "median", "p75", "max", "sum", "buckets"}));
  EXPECT_EQ(member_names(attempt.at("largest_tasks").at("tasks").at(0)),
            (Names{"partition", "task_id", "task_attempt", "executor", "host", "value", "records", "duration_ms"}));
  EXPECT_EQ(member_names(attempt.at("operators").at(0)), (Names{"name", "text", "sql_execution", "metrics"}));
  EXPECT_EQ(member_names(attempt.at("cached_rdds").at(0)),
            (Names{"id", "name", "partitions", "cached_partitions", "memory_bytes", "disk_bytes", "unpersisted"}));
  EXPECT_EQ(member_names(stage.at("attempts").at(0).at("failures").at(0)),
            (Names{"reason", "class", "message", "count", "first_partition", "first_executor"}));
  ASSERT_EQ(stage.at("findings").as_array().size(), 1U) << "the other one is of stage 0";
  EXPECT_EQ(stage.at("findings").at(0).at("attempt"), 1);
  EXPECT_TRUE(stage.at("findings").at(0).at("advice").is_string());
}

TEST(StageJson, HasTheNumbersOfTheTasks) {
  const auto attempt = json_of({.id = 7, .attempt = 1}).at("attempts").at(0);
  const auto& read = attempt.at("metrics").at("shuffle_read");
  EXPECT_EQ(read.at("p25"), 17'920);
  EXPECT_EQ(read.at("sum"), 160 * 1024);
  EXPECT_EQ(json::serialize(read.at("buckets")), "[1,1,1,0,0,0,0,0,0,0,0,1]");
  EXPECT_EQ(attempt.at("metrics").at("input").at("max"), 0) << "known to be 0";
  EXPECT_FALSE(attempt.at("metrics").as_object().contains("output")) << "not known";
  EXPECT_EQ(attempt.at("cached_rdds").at(0).at("memory_bytes"), 6 * 1024);
  EXPECT_TRUE(attempt.at("cached_rdds").at(0).at("disk_bytes").is_null());
  EXPECT_EQ(attempt.at("resource_profile").at("executor").at("gpu"), "1");
  const auto failed = json_of({.id = 7, .attempt = 0}).at("attempts").at(0);
  EXPECT_TRUE(failed.at("largest_tasks").is_null());
  EXPECT_EQ(json::serialize(failed.at("wasted_totals")), R"({"input":0,"shuffle_read":5120})");
}

}  // namespace
}  // namespace stagegate
