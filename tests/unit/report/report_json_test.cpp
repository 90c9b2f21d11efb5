#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "report/report.h"
#include "unit/report/samples.h"

namespace stagegate {
namespace {

namespace json = boost::json;

using Names = std::vector<std::string>;

Names member_names(const json::value& object) {
  Names names;
  for (const auto& member : object.as_object()) {
    names.emplace_back(member.key());
  }
  return names;
}

// One stage attempt with two tasks that read 1 and 2 bytes of shuffle, and none that reads input.
Application small_application() {
  StageAttempt attempt;
  attempt.id = 7;
  attempt.name = "count at A.scala:1";
  attempt.status = StageStatus::complete;
  attempt.jobs = {3, 4};
  attempt.tasks = {.declared = 2, .succeeded = 2, .failed = 1, .killed = 0, .speculative = 1};
  constexpr auto kShuffleRead = index_of(Metric::shuffle_read_bytes);
  attempt.totals[kShuffleRead] = 3;
  attempt.totals[index_of(Metric::input_records)] = 5;
  attempt.wasted[kShuffleRead] = 1;
  attempt.distributions[kShuffleRead] = distribution_of({1, 2});
  Application application;
  application.name = "say \"hi\"";
  application.stages = {attempt};
  application.jobs = {{.id = 3,
                       .status = JobStatus::succeeded,
                       .group = {},
                       .description = "d",
                       .sql_execution = 1,
                       .submitted_ms = {},
                       .ended_ms = {},
                       .error = {},
                       .stages = {7}}};
  return application;
}

json::value report_of(const Application& application, const std::vector<Stage>& stages = {}, const std::vector<Finding>& findings = {}) {
  return json::parse(render_report_json(application, stages, findings));
}

TEST(ReportJson, HasTheMembersOfItsSchemaInTheirOrder) {
  const auto report = report_of(small_application());
  EXPECT_EQ(member_names(report), (Names{"schema", "application", "evidence", "cores", "jobs", "stages", "findings"}));
  EXPECT_EQ(report.at("schema"), "stagegate.report/1");
  EXPECT_EQ(member_names(report.at("application")), (Names{"id", "name", "attempt", "spark_version", "start_ms", "end_ms", "complete"}));
  EXPECT_EQ(member_names(report.at("evidence")), (Names{"complete", "problems", "lines", "malformed_lines", "unknown_events"}));
  EXPECT_EQ(member_names(report.at("jobs").at(0)), (Names{"id", "status", "group", "description", "sql_execution", "stages"}));
  const auto& stage = report.at("stages").at(0);
  EXPECT_EQ(member_names(stage), (Names{"id", "attempt", "name", "label", "fingerprint", "location", "status", "failure_reason", "jobs",
                                        "group", "description", "sql_execution", "tasks", "bytes", "records", "wasted", "distribution"}));
  EXPECT_EQ(member_names(stage.at("tasks")), (Names{"declared", "succeeded", "failed", "killed", "speculative"}));
  const Names bytes{"input", "output", "shuffle_read", "shuffle_write", "memory_spill", "disk_spill"};
  EXPECT_EQ(member_names(stage.at("bytes")), bytes);
  EXPECT_EQ(member_names(stage.at("wasted")), bytes);
  EXPECT_EQ(member_names(stage.at("records")), (Names{"input", "output", "shuffle_read", "shuffle_write"}));
  EXPECT_EQ(member_names(stage.at("distribution")), (Names{"shuffle_read", "input", "duration_ms"}));
  EXPECT_EQ(member_names(stage.at("distribution").at("shuffle_read")), (Names{"min", "p25", "median", "p75", "max"}));
}

TEST(ReportJson, WritesWholeNumbersAsIntegersAndQuantilesAsDecimals) {
  const auto text = render_report_json(small_application(), {}, {});
  EXPECT_NE(text.find(R"("distribution":{"shuffle_read":{"min":1,"p25":1.25,"median":1.5,"p75":1.75,"max":2},"input":null,)"),
            std::string::npos)
      << text;
}

TEST(ReportJson, SaysNullForWhatIsNotKnown) {
  const auto report = report_of(small_application());
  EXPECT_TRUE(report.at("cores").is_null());
  EXPECT_TRUE(report.at("application").at("end_ms").is_null());
  EXPECT_FALSE(report.at("application").at("complete").as_bool());
  const auto& stage = report.at("stages").at(0);
  for (const auto* name : {"label", "fingerprint", "location", "failure_reason", "group", "sql_execution"}) {
    EXPECT_TRUE(stage.at(name).is_null()) << name;
  }
  EXPECT_TRUE(stage.at("bytes").at("input").is_null());
  EXPECT_EQ(stage.at("bytes").at("shuffle_read"), 3);
  EXPECT_EQ(stage.at("records").at("input"), 5);
}

TEST(ReportJson, KeepsTextsAsTheyAre) {
  EXPECT_EQ(report_of(small_application()).at("application").at("name"), "say \"hi\"");
}

TEST(ReportJson, HasALineForEachStage) {
  const auto text = render_report_json(small_application(), {}, {});
  EXPECT_NE(text.find("\"stages\": [\n  {\"id\":7,\"attempt\":0,"), std::string::npos) << text;
}

TEST(ReportJson, IsTheSameForAnyNumberOfThreads) {
  auto application = small_application();
  for (const std::size_t stages : {0U, 1U, 31U, 32U, 33U, 100U}) {
    application.stages.resize(1);
    for (std::size_t i = 1; i < stages; ++i) {
      application.stages.push_back(application.stages.front());
      application.stages.back().id = static_cast<std::int32_t>(100 + i);
    }
    application.stages.resize(stages);
    const auto text = render_report_json(application, {}, {});
    EXPECT_EQ(json::parse(text).at("stages").as_array().size(), stages);
    for (const int threads : {2, 8}) {
      EXPECT_EQ(render_report_json(application, {}, {}, threads), text) << stages << " stages, " << threads << " threads";
    }
  }
}

TEST(ReportJson, GivesEveryAttemptItsStagesLabelAndAFindingTheLastAttempt) {
  auto finding = skew_finding();
  finding.value_thousandths = 412'500;
  const auto application = revenue_application();
  const auto stages = revenue_stages();
  const auto report = report_of(application, stages, {finding});
  EXPECT_EQ(report.at("stages").as_array().size(), application.stages.size());
  for (const auto& attempt : report.at("stages").as_array()) {
    const bool ran = attempt.at("status") != "SKIPPED" && attempt.at("status") != "PENDING";
    EXPECT_EQ(attempt.at("label").is_string(), ran);
  }
  const auto& found = report.at("findings").at(0);
  EXPECT_EQ(member_names(found), (Names{"rule", "level", "stage", "attempt", "label", "value", "message"}));
  EXPECT_EQ(found.at("stage"), finding.stage_id);
  EXPECT_EQ(found.at("value"), 412.5);
  std::int64_t last_attempt = -1;
  for (const auto& attempt : application.stages) {
    last_attempt = attempt.id == finding.stage_id ? attempt.attempt : last_attempt;
  }
  EXPECT_EQ(found.at("attempt"), last_attempt);
}

TEST(ReportJson, AFindingOfTheRunHasNoStage) {
  Finding finding;
  finding.rule = "run-rule";
  const auto report = report_of(small_application(), {}, {finding});
  EXPECT_TRUE(report.at("findings").at(0).at("stage").is_null());
  EXPECT_TRUE(report.at("findings").at(0).at("label").is_null());
}

}  // namespace
}  // namespace stagegate
