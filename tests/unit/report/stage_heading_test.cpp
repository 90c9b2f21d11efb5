#include "report/stage_heading.h"

#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

constexpr const char* kUuid = "0f2b7a5e-3f4c-4f0e-9a83-0d4c1b9e7d21";

Application application() {
  Application application;
  SqlExecution own;
  own.id = 3;
  own.description = "parquet at NativeMethodAccessorImpl.java:0";
  SqlExecution nested;
  nested.id = 4;
  nested.root_id = 3;
  nested.description = "broadcast exchange";
  SqlExecution nameless;
  nameless.id = 5;
  application.executions = {own, nested, nameless};
  StageAttempt first;
  first.id = 7;
  first.name = "map at pi.py:3";
  StageAttempt last;
  last.id = 8;
  last.name = "reduce at pi.py:4";
  application.stages = {first, last};
  Job job;
  job.id = 2;
  job.stages = {7, 8};
  application.jobs = {job};
  return application;
}

struct Case {
  std::optional<std::string> group;
  std::optional<std::string> description;
  std::optional<std::int64_t> sql_execution;
  std::vector<std::int64_t> jobs;
  std::string heading;
};

TEST(StageHeading, IsTheAuthorsWordsThenTheExecutionThenTheJob) {
  const auto broadcast = std::string("broadcast exchange (runId ") + kUuid + ")";
  const std::vector<Case> cases{
      {"daily", {}, 3, {2}, "daily"},
      {{}, "revenue by country", 3, {2}, "revenue by country"},
      {"daily", "revenue by country", 3, {2}, "daily: revenue by country"},
      {"daily", "daily", 3, {2}, "daily"},
      {kUuid, broadcast, 3, {2}, "parquet (SQL 3)"},
      {kUuid, "batch\nid = 7", {}, {2}, "batch id = 7"},
      {{}, {}, 3, {2}, "parquet (SQL 3)"},
      {{}, {}, 4, {2}, "parquet (SQL 3)"},
      {{}, {}, 5, {2}, "SQL 5"},
      {{}, {}, 99, {2}, "SQL 99"},
      {{}, {}, {}, {2}, "reduce at pi.py:4 (job 2)"},
      {{}, {}, {}, {99}, "job 99"},
      {{}, {}, {}, {}, "without a job"},
      {{}, "", {}, {}, "without a job"},
  };
  for (const auto& expected : cases) {
    StageAttempt stage;
    stage.group = expected.group;
    stage.description = expected.description;
    stage.sql_execution = expected.sql_execution;
    stage.jobs = expected.jobs;
    EXPECT_EQ(stage_heading(application(), stage), expected.heading);
  }
}

TEST(StageHeading, LosesAPlaceInJavasOwnFilesAndKeepsOneInTheAuthors) {
  EXPECT_EQ(without_foreign_place("parquet at NativeMethodAccessorImpl.java:0"), "parquet");
  EXPECT_EQ(without_foreign_place("run at ThreadPoolExecutor.java:1136"), "run");
  EXPECT_EQ(without_foreign_place("parquet at revenue.py:8"), "parquet at revenue.py:8");
  EXPECT_EQ(without_foreign_place("Spark JDBC Server Query"), "Spark JDBC Server Query");
}

}  // namespace
}  // namespace stagegate
