// The error messages of tasks, in the forms of TaskEndReason.scala.
#include "ingest/rest/task_error.h"

#include <string_view>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

void expect(const TaskError& error, TaskEndKind kind, std::string_view reason, std::string_view error_class, std::string_view line) {
  EXPECT_EQ(error.kind, kind);
  EXPECT_EQ(error.reason, reason);
  EXPECT_EQ(error.error_class, error_class);
  EXPECT_EQ(error.line, line);
}

TEST(TaskErrors, OfAnExceptionHaveItsClassAndItsMessage) {
  expect(task_error("FAILED", "java.lang.RuntimeException: Bad executor\n\tat $line17.$read$$iw.<init>(<console>:27)\n"),
         TaskEndKind::failed, "ExceptionFailure", "java.lang.RuntimeException", "Bad executor");
  expect(task_error("FAILED", "java.lang.NullPointerException\n\tat A.b(A.scala:1)\n"), TaskEndKind::failed, "ExceptionFailure",
         "java.lang.NullPointerException", "");
  expect(task_error("FAILED", "com.acme.Bad$Inner_1: a: b"), TaskEndKind::failed, "ExceptionFailure", "com.acme.Bad$Inner_1", "a: b");
}

TEST(TaskErrors, OfPythonHaveTheLineBelowTheFrames) {
  expect(task_error("FAILED",
                    "org.apache.spark.api.python.PythonException: Traceback (most recent call last):\n  File \"worker.py\", line 1\n"
                    "    x()\nValueError: bad record 17\n\n\tat org.apache.spark.api.python.BasePythonRunner.x(PythonRunner.scala:1)\n"),
         TaskEndKind::failed, "ExceptionFailure", "org.apache.spark.api.python.PythonException", "ValueError: bad record 17");
}

TEST(TaskErrors, WithoutAClassAreTheirFirstLine) {
  expect(task_error("FAILED", "something went wrong: 3\nmore"), TaskEndKind::failed, "ExceptionFailure", "", "something went wrong: 3");
}

TEST(TaskErrors, OfAFetchHaveTheMessageInside) {
  expect(task_error("FAILED",
                    "FetchFailed(BlockManagerId(1, host, 46008, None), shuffleId=54, mapIndex=9, mapId=8347, reduceId=72, message=\n"
                    "org.apache.spark.shuffle.FetchFailedException: gone\n\tat x\n\n)"),
         TaskEndKind::failed, "FetchFailed", "", "org.apache.spark.shuffle.FetchFailedException: gone");
  expect(task_error("FAILED", "FetchFailed(null, shuffleId=0"), TaskEndKind::failed, "FetchFailed", "", "");
}

TEST(TaskErrors, OfALostExecutorHaveTheReason) {
  expect(task_error("FAILED", "ExecutorLostFailure (executor 2 exited caused by one of the running tasks) Reason: Executor Process Lost"),
         TaskEndKind::failed, "ExecutorLostFailure", "", "Executor Process Lost");
  expect(task_error("FAILED", "ExecutorLostFailure (executor 2 exited unrelated to the running tasks)"), TaskEndKind::failed,
         "ExecutorLostFailure", "", "");
}

TEST(TaskErrors, OfAKilledTaskAreTheReason) {
  expect(task_error("KILLED", "another attempt succeeded"), TaskEndKind::killed, "TaskKilled", "", "another attempt succeeded");
  expect(task_error("KILLED", ""), TaskEndKind::killed, "TaskKilled", "", "");
}

TEST(TaskErrors, ADeniedCommitCountsAsKilledWhateverTheStatus) {
  for (const auto* const status : {"FAILED", "KILLED"}) {
    expect(task_error(status, "TaskCommitDenied (Driver denied task commit) for job: 10, partition: 12, attemptNumber: 3"),
           TaskEndKind::killed, "TaskCommitDenied", "", "");
  }
}

TEST(TaskErrors, OfTheOthersAreTheirNames) {
  expect(task_error("FAILED", "Resubmitted (resubmitted due to lost executor)"), TaskEndKind::resubmitted, "Resubmitted", "", "");
  expect(task_error("FAILED", "TaskResultLost (result lost from block manager)"), TaskEndKind::failed, "TaskResultLost", "", "");
  expect(task_error("FAILED", "UnknownReason"), TaskEndKind::failed, "UnknownReason", "", "");
  expect(task_error("FAILED", ""), TaskEndKind::failed, "UnknownReason", "", "");
  expect(task_error("UNKNOWN", ""), TaskEndKind::failed, "UnknownReason", "", "");
}

TEST(TaskErrors, SayWhichTasksSparkLogsTheMetricsOf) {
  EXPECT_TRUE(task_error("FAILED", "java.lang.RuntimeException: x").has_metrics);
  EXPECT_TRUE(task_error("KILLED", "x").has_metrics);
  EXPECT_FALSE(task_error("FAILED", "FetchFailed(").has_metrics);
  EXPECT_FALSE(task_error("FAILED", "ExecutorLostFailure (").has_metrics);
}

}  // namespace
}  // namespace stagegate
