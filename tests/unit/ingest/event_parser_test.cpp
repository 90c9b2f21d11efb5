#include "ingest/event_parser.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ingest/line_splitter.h"
#include "unit/ingest/spark_lines.h"

namespace stagegate {
namespace {

using namespace std::string_literals;

LineKind parse(const std::string& line, Event& event) {
  EventParser parser;
  const auto padded = line + std::string(kLinePadding, '"');
  return parser.parse(std::string_view(padded).substr(0, line.size()), event);
}

LineKind kind_of(const std::string& line) {
  Event event;
  return parse(line, event);
}

TaskEnd task_of(const TaskLine& task) {
  Event event;
  EXPECT_EQ(parse(task_end(task), event), LineKind::event);
  return std::get<TaskEnd>(event);
}

TEST(EventParser, TellsEventsApart) {
  EXPECT_EQ(kind_of(task_end({})), LineKind::event);
  EXPECT_EQ(kind_of(R"({"Event":"SparkListenerTaskStart","Stage ID":0})"), LineKind::ignored);
  EXPECT_EQ(kind_of(R"({"Event":"SparkListenerOfTheFuture","x":1})"), LineKind::ignored);
  EXPECT_EQ(kind_of(R"({"Event":"org.apache.spark.sql.streaming.StreamingQueryListener$QueryStartedEvent","id":"x"})"), LineKind::ignored);
  EXPECT_EQ(kind_of(R"({"Event":"com.nvidia.spark.rapids.SparkRapidsBuildInfoEvent","x":{}})"), LineKind::unknown);
  EXPECT_EQ(kind_of(R"({"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd","executionId":1,"time":2})"),
            LineKind::event);
}

TEST(EventParser, FindsTheClassWhereverItStands) {
  EXPECT_EQ(kind_of(R"({ "Event" : "SparkListenerApplicationEnd", "Timestamp" : 1 })"), LineKind::event);
  EXPECT_EQ(kind_of(R"({"Timestamp":1,"Event":"SparkListenerApplicationEnd"})"), LineKind::event);
  EXPECT_EQ(kind_of("  " + application_end() + "\r"), LineKind::event);
}

TEST(EventParser, CountsWhatIsNoEventAsMalformed) {
  const std::string deep(5000, '[');
  const std::vector<std::string> broken{
      "x",
      "{",
      "[]",
      "{}",
      "1",
      "null",
      R"("Event")",
      R"({"Event":1})",
      R"({"Event":null})",
      R"({"Event":"SparkListenerApplicationEnd","Timestamp":1)",
      R"({"Event":"SparkListenerApplicationEnd","Timestamp":1}})",
      R"({"Event":"SparkListenerApplicationEnd","Timestamp":1}{"Event":"x"})",
      R"({"Event":"SparkListenerApplicationEnd","Timestamp":"1"})",
      R"({"Event":"SparkListenerApplicationEnd","Timestamp":1.5})",
      R"({"Event":"SparkListenerApplicationEnd","Timestamp":99999999999999999999})",
      R"({"Event":"SparkListenerApplicationEnd","Timestamp":[1]})",
      R"({"Event":"SparkListenerApplicationEnd" "Timestamp":1})",
      R"({"Event":"SparkListenerJobEnd"})",
      R"({"Event":"SparkListenerJobStart","Job ID":1,"Stage Infos":{}})",
      R"({"Event":"SparkListenerStageCompleted","Stage Info":{"Stage ID":-1}})",
      R"({"Event":"SparkListenerStageCompleted","Stage Info":{"Stage ID":3000000000}})",
      R"({"Event":"SparkListenerStageCompleted","Stage Info":{}})",
      R"({"Event":"SparkListenerStageCompleted"})",
      R"({"Event":"SparkListenerTaskEnd"})",
      R"({"Event":"SparkListenerTaskEnd","Stage ID":1,"Task End Reason":{"Reason":"Success"},"Task Info":{}})",
      R"({"Event":"SparkListenerTaskEnd","Stage ID":1,"Task Info":{"Index":1}})",
      R"({"Event":"SparkListenerTaskEnd","Stage ID":1,"Task End Reason":{"Reason":"Success"},"Task Info":{"Index":"1"}})",
      R"({"Event":"SparkListenerTaskStart","x":")",
      "{\"Event\":\"SparkListenerTaskStart\",\"x\":\"\xC3\x28\"}",
      "{\"Event\":\"SparkListenerTaskStart\",\"x\":\"a\0b\"}"s,
      std::string(100, '\0'),
      R"({"Event":"SparkListenerTaskStart","x":)" + deep,
      deep,
      std::string(5000, '{'),
      std::string(5000, '"'),
  };
  for (const auto& line : broken) {
    EXPECT_EQ(kind_of(line), LineKind::malformed) << line.substr(0, 200);
  }
}

TEST(EventParser, NoCutOfALineIsAnEvent) {
  for (const auto& line : {task_end({.partition = 3, .input = 5}), job_start(1, {{}, {}}), stage_submitted({}),
                           std::string(R"({"Event":"SparkListenerTaskStart","Stage ID":0,"Task Info":{"Task ID":1}})")}) {
    for (std::size_t size = 1; size < line.size(); ++size) {
      ASSERT_EQ(kind_of(line.substr(0, size)), LineKind::malformed) << line.substr(0, size);
    }
  }
}

TEST(EventParser, NoChangedByteCrashesIt) {
  const auto line = job_start(1, {{.id = 1, .more = R"(,"Accumulables":[{"ID":1,"Name":"x"}],"RDD Info":[{"RDD ID":1,"Scope":"{}"}])"}},
                              R"("spark.job.description":"a\u00e9b")");
  for (std::size_t at = 0; at < line.size(); ++at) {
    for (const char replacement : {'\0', '"', '\\', '{', '}', '[', ']', ',', ':', '9', '-', 'n', '\xFF'}) {
      auto changed = line;
      changed[at] = replacement;
      kind_of(changed);
    }
  }
}

TEST(EventParser, ReadsDeepPlansUpToALimit) {
  std::string plan;
  std::string end;
  for (int i = 0; i < 3000; ++i) {
    plan += R"({"nodeName":"Project","simpleString":"Project","children":[)";
    end += R"(],"metadata":{},"metrics":[]})";
  }
  Event event;
  const auto line =
      R"({"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveExecutionUpdate","executionId":1,"sparkPlanInfo":)" + plan +
      end + "}";
  ASSERT_EQ(parse(line, event), LineKind::event);
  EXPECT_EQ(std::get<SqlAdaptiveUpdate>(event).plan.nodes.size(), 800U);
}

TEST(EventParser, TakesNullsForMissing) {
  EXPECT_EQ(kind_of(R"({"Event":"SparkListenerApplicationStart","App Name":null,"App ID":null,"Timestamp":null})"), LineKind::event);
  EXPECT_EQ(
      kind_of(R"({"Event":"SparkListenerStageSubmitted","Stage Info":{"Stage ID":1,"Stage Name":null,"RDD Info":null,"Details":null},)"
              R"("Properties":null})"),
      LineKind::event);
  Event event;
  ASSERT_EQ(parse(R"({"Event":"SparkListenerTaskEnd","Stage ID":1,"Task End Reason":{"Reason":"Success"},"Task Info":{"Index":2},)"
                  R"("Task Metrics":null})",
                  event),
            LineKind::event);
  EXPECT_EQ(std::get<TaskEnd>(event).numbers.present, 0U);
}

TEST(EventParser, AddsLocalAndRemoteShuffleReadAndNothingElse) {
  const auto task = task_of({.shuffle_read = 101});
  EXPECT_EQ(task.numbers.values[index_of(Metric::shuffle_read_bytes)], 101);
}

TEST(EventParser, LeavesOutMetricsThatATaskDoesNotHave) {
  const auto task = task_of({.shuffle_read = std::nullopt, .input = 5});
  EXPECT_FALSE(task.numbers.has(index_of(Metric::shuffle_read_bytes)));
  EXPECT_FALSE(task.numbers.has(index_of(Metric::shuffle_write_records)));
  EXPECT_TRUE(task.numbers.has(index_of(Metric::input_bytes)));
  EXPECT_TRUE(task.numbers.has(index_of(Metric::duration_ms)));
}

TEST(EventParser, TakesTheIndexWhereThereIsNoPartition) {
  EXPECT_EQ(task_of({.index = 4}).partition, 4);
  EXPECT_EQ(task_of({.index = 4, .partition = -1}).partition, 4);
  EXPECT_EQ(task_of({.index = 4, .partition = 9}).partition, 9);
}

TEST(EventParser, TellsByTheReasonAloneHowATaskEnded) {
  EXPECT_EQ(task_of({.reason = "Success"}).kind, TaskEndKind::success);
  EXPECT_EQ(task_of({.reason = "Resubmitted"}).kind, TaskEndKind::resubmitted);
  EXPECT_EQ(task_of({.reason = "TaskKilled"}).kind, TaskEndKind::killed);
  EXPECT_EQ(task_of({.reason = "TaskCommitDenied"}).kind, TaskEndKind::killed);
  for (const auto* reason : {"FetchFailed", "ExceptionFailure", "ExecutorLostFailure", "TaskResultLost", "UnknownReason", ""}) {
    EXPECT_EQ(task_of({.reason = reason}).kind, TaskEndKind::failed) << reason;
  }
}

TEST(EventParser, KeepsTheStagesOwnRddFirstAndSortsTheRest) {
  Event event;
  ASSERT_EQ(parse(stage_submitted(
                      {.more = R"(,"RDD Info":[{"RDD ID":9,"Name":"own","Scope":"{\"id\":\"5\",\"name\":\"Exchange\"}","Parent IDs":[8]},)"
                               R"({"RDD ID":8},{"RDD ID":3},{"RDD ID":5}])"}),
                  event),
            LineKind::event);
  const auto& rdds = std::get<StageSubmitted>(event).stage.rdds;
  ASSERT_EQ(rdds.size(), 4U);
  EXPECT_EQ(rdds[0].id, 9);
  EXPECT_EQ(rdds[0].scope_name, "Exchange");
  EXPECT_EQ(rdds[0].parents, std::vector<std::int64_t>{8});
  EXPECT_EQ(rdds[1].id, 3);
  EXPECT_EQ(rdds[2].id, 5);
  EXPECT_EQ(rdds[3].id, 8);
}

TEST(EventParser, LeavesOutSparksInternalAccumulators) {
  Event event;
  ASSERT_EQ(parse(stage_completed({.more = R"(,"Accumulables":[{"ID":3,"Name":"internal.metrics.resultSize","Value":1},)"
                                           R"({"ID":2,"Name":"number of output rows","Value":"9","Metadata":"sql"},{"ID":1,"Value":2}])"}),
                  event),
            LineKind::event);
  EXPECT_EQ(std::get<StageCompleted>(event).stage.accumulators, (std::vector<std::int64_t>{2, 1}));
}

}  // namespace
}  // namespace stagegate
