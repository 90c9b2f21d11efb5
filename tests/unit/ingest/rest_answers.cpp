#include "unit/ingest/rest_answers.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace stagegate {
namespace {

std::string quoted(const std::string& name, const std::string& value) {
  return fmt::format(R"("{}":"{}")", name, value);
}

std::string task_metrics(std::int64_t bytes) {
  return fmt::format(
      R"("taskMetrics":{{"executorDeserializeTime":5,"executorDeserializeCpuTime":5000000,"executorRunTime":80,"executorCpuTime":70000000,)"
      R"("resultSize":900,"jvmGcTime":1,"resultSerializationTime":2,"memoryBytesSpilled":{0},"diskBytesSpilled":{0},)"
      R"("peakExecutionMemory":64,"inputMetrics":{{"bytesRead":{0},"recordsRead":{0}}},)"
      R"("outputMetrics":{{"bytesWritten":{0},"recordsWritten":{0}}},"shuffleReadMetrics":{{"remoteBlocksFetched":2,"localBlocksFetched":3,)"
      R"("fetchWaitTime":4,"remoteBytesRead":{0},"remoteBytesReadToDisk":1,"localBytesRead":{0},"recordsRead":{0},"remoteReqsDuration":6,)"
      R"("shufflePushReadMetrics":{{"corruptMergedBlockChunks":0,"mergedFetchFallbackCount":0,"remoteMergedBlocksFetched":0,)"
      R"("localMergedBlocksFetched":0,"remoteMergedChunksFetched":0,"localMergedChunksFetched":0,"remoteMergedBytesRead":0,)"
      R"("localMergedBytesRead":0,"remoteMergedReqsDuration":0}}}},)"
      R"("shuffleWriteMetrics":{{"bytesWritten":{0},"writeTime":8,"recordsWritten":{0}}}}})",
      bytes);
}

std::string task_row(const TaskRow& row) {
  const auto error = row.error.empty() ? "" : quoted("errorMessage", row.error) + ",";
  return fmt::format(
      R"({{"taskId":{},"index":{},"attempt":{},"partitionId":{},"launchTime":"{}","duration":{},"executorId":"{}","host":"{}","status":"{}",)"
      R"("taskLocality":"PROCESS_LOCAL","speculative":{},"accumulatorUpdates":[],{}{},"executorLogs":{{}},"schedulerDelay":3,)"
      R"("gettingResultTime":0{}}})",
      row.id, row.index, row.attempt, row.partition, rest_time(row.launched), row.duration, row.executor, row.host, row.status,
      row.speculative, error, task_metrics(row.bytes), row.more);
}

std::int64_t count(const StageRow& stage, const std::string& status) {
  return std::count_if(stage.rows.begin(), stage.rows.end(), [&](const TaskRow& row) { return row.status == status; });
}

std::string stage_row(const StageRow& row) {
  const bool ran = row.status != "SKIPPED" && row.status != "PENDING";
  const auto submitted = ran ? quoted("submissionTime", rest_time(row.submitted)) + "," : "";
  const auto completed = ran && row.status != "ACTIVE" ? quoted("completionTime", rest_time(row.completed)) + "," : "";
  return fmt::format(
      R"({{"status":"{}","stageId":{},"attemptId":{},"numTasks":{},"numActiveTasks":{},"numCompleteTasks":{},"numFailedTasks":{},)"
      R"("numKilledTasks":{},"numCompletedIndices":{},{}{}"executorRunTime":80,"executorCpuTime":70000000,"inputBytes":7,"inputRecords":7,)"
      R"("outputBytes":7,"outputRecords":7,"shuffleReadBytes":14,"shuffleReadRecords":7,"shuffleWriteBytes":7,"shuffleWriteRecords":7,)"
      R"("memoryBytesSpilled":7,"diskBytesSpilled":7,"name":"count at job.py:{}","details":"its stack","schedulingPool":"default",)"
      R"("rddIds":[{}],"accumulatorUpdates":[],"killedTasksSummary":{{}},"resourceProfileId":0{}}})",
      row.status, row.id, row.attempt, row.tasks, count(row, "RUNNING"), row.succeeded.value_or(count(row, "SUCCESS")),
      row.failed.value_or(count(row, "FAILED")), count(row, "KILLED"), count(row, "SUCCESS"), submitted, completed, row.id, row.rdds,
      row.more);
}

std::string job_row(const JobRow& row) {
  const auto completed = row.status == "RUNNING" ? "" : quoted("completionTime", rest_time(row.completed)) + ",";
  return fmt::format(
      R"({{"jobId":{},"name":"count at job.py:1","submissionTime":"{}",{}"stageIds":[{}],"jobTags":[],"status":"{}","numTasks":1,)"
      R"("numActiveTasks":0,"numCompletedTasks":1,"numSkippedTasks":0,"numFailedTasks":0,"numKilledTasks":0,"numCompletedIndices":1,)"
      R"("numActiveStages":0,"numCompletedStages":1,"numSkippedStages":{},"numFailedStages":0,"killedTasksSummary":{{}}{}}})",
      row.id, rest_time(row.submitted), completed, row.stages, row.status, row.skipped, row.more);
}

std::string executor_row(const ExecutorRow& row) {
  const auto removed =
      row.removed ? quoted("removeTime", rest_time(*row.removed)) + R"(,"removeReason":"Executor Process Lost",)" : std::string();
  return fmt::format(
      R"({{"id":"{}","hostPort":"{}","isActive":true,"rddBlocks":0,"memoryUsed":0,"diskUsed":0,"totalCores":{},"maxTasks":4,"activeTasks":0,)"
      R"("failedTasks":0,"completedTasks":1,"totalTasks":1,"totalDuration":100,"totalGCTime":1,"totalInputBytes":7,"totalShuffleRead":14,)"
      R"("totalShuffleWrite":7,"isBlacklisted":false,"maxMemory":384093388,"addTime":"{}",{}"executorLogs":{{}},"blacklistedInStages":[],)"
      R"("attributes":{{}},"resources":{{}},"resourceProfileId":0,"isExcluded":false,"excludedInStages":[]}})",
      row.id, row.host_port, row.cores, rest_time(row.added), removed);
}

std::string execution_row(const ExecutionRow& row) {
  return fmt::format(
      R"({{"id":{},"status":"{}","description":"count at job.py:1","planDescription":"","submissionTime":"{}","duration":1300,)"
      R"("runningJobIds":[],"successJobIds":[{}],"failedJobIds":[]{}}})",
      row.id, row.status, rest_time(800), row.jobs, row.more);
}

template <typename Row>
std::string list_of(const std::vector<Row>& rows, std::string (*text_of)(const Row&)) {
  std::vector<std::string> texts;
  for (const auto& row : rows) {
    texts.push_back(text_of(row));
  }
  return fmt::format("[{}]", fmt::join(texts, ","));
}

template <typename Row>
std::vector<Row> page_of(const std::vector<Row>& rows, std::size_t offset, std::size_t size) {
  const auto begin = std::min(offset, rows.size());
  return {rows.begin() + static_cast<std::ptrdiff_t>(begin),
          rows.begin() + static_cast<std::ptrdiff_t>(std::min(begin + size, rows.size()))};
}

std::string application_answer(const SmallApplication& small) {
  const auto id = small.attempt.empty() ? "" : quoted("attemptId", small.attempt) + ",";
  const auto end = small.running ? std::string("1969-12-31T23:59:59.999GMT") : rest_time(3000);
  return fmt::format(
      R"({{"id":"app-1","name":"a job","attempts":[{{{}"startTime":"{}","endTime":"{}","lastUpdated":"{}","duration":3000,"sparkUser":"me",)"
      R"("completed":{},"appSparkVersion":"{}","startTimeEpoch":{},"endTimeEpoch":{},"lastUpdatedEpoch":{}}}]}})",
      id, rest_time(0), end, end, !small.running, small.version, kRestStart, small.running ? -1 : kRestStart + 3000, kRestStart + 3000);
}

std::string environment_answer(const SmallApplication& small) {
  return fmt::format(
      R"({{"runtime":{{"javaVersion":"17.0.15+6-Debian","javaHome":"/usr/lib/jvm/17","scalaVersion":"version 2.12.18"}},)"
      R"("sparkProperties":[{}],"hadoopProperties":[],"systemProperties":[],"metricsProperties":[],"classpathEntries":[],)"
      R"("resourceProfiles":[{{"id":0,"executorResources":{{"cores":{{"resourceName":"cores","amount":4,"discoveryScript":"","vendor":""}}}},)"
      R"("taskResources":{{"cpus":{{"resourceName":"cpus","amount":1.0}}}}}}]}})",
      small.properties);
}

}  // namespace

std::string rest_time(std::int64_t ms) {
  return fmt::format("2026-01-01T00:{:02}:{:02}.{:03}GMT", ms / 60'000, ms / 1000 % 60, ms % 1000);
}

std::string task_list(const std::vector<TaskRow>& rows) {
  return list_of(rows, task_row);
}

RecordedServer SmallApplication::server(int page_size) const {
  RecordedServer server;
  const auto application = application_answer(*this);
  const std::string root = "/api/v1/applications";
  const auto base = root + "/app-1" + (attempt.empty() ? "" : "/" + attempt);
  server.answer(root, "[" + application + "]").answer(root + "/app-1", application);
  server.answer(base + "/environment", environment_answer(*this));
  server.answer(base + "/stages?details=false", list_of(stages, stage_row));
  server.answer(base + "/jobs", list_of(jobs, job_row));
  server.answer(base + "/allexecutors", list_of(executors, executor_row));
  server.answer(base + "/storage/rdd", "[" + cached + "]");
  for (std::size_t offset = 0; !executions.empty() && offset <= executions.size(); offset += 100) {
    server.answer(fmt::format("{}/sql?details=true&planDescription=false&offset={}&length=100", base, offset),
                  list_of(page_of(executions, offset, 100), execution_row));
  }
  const auto length = static_cast<std::size_t>(page_size);
  for (const auto& stage : stages) {
    for (std::size_t offset = 0; offset <= stage.rows.size(); offset += length) {
      server.answer(fmt::format("{}/stages/{}/{}/taskList?offset={}&length={}", base, stage.id, stage.attempt, offset, length),
                    task_list(page_of(stage.rows, offset, length)));
    }
  }
  return server;
}

Application read_small(const SmallApplication& small, const RestOptions& options) {
  auto server = small.server(options.page_size);
  const auto get = server.get();
  auto application = read_rest_application(get, "app-1", options);
  EXPECT_TRUE(application) << application.error().message;
  return application ? *std::move(application) : Application();
}

std::vector<std::string> codes_of(const Application& application) {
  std::vector<std::string> codes;
  for (const auto& problem : application.evidence.problems) {
    codes.push_back(problem.code);
    EXPECT_FALSE(problem.advice.empty()) << problem.code;
  }
  return codes;
}

}  // namespace stagegate
