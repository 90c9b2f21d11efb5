#include "unit/ingest/spark_lines.h"

#include <memory>

#include <fmt/format.h>

#include "ingest/read_log.h"
#include "unit/ingest/memory_source.h"

namespace stagegate {
namespace {

std::string metrics_of(const TaskLine& task) {
  if (!task.has_metrics) {
    return {};
  }
  std::string metrics = R"("Memory Bytes Spilled":0,"Disk Bytes Spilled":0)";
  if (task.shuffle_read) {
    const auto remote = *task.shuffle_read / 2;
    metrics += fmt::format(R"(,"Shuffle Read Metrics":{{"Remote Bytes Read":{},"Remote Bytes Read To Disk":{},"Local Bytes Read":{}}})",
                           remote, remote, *task.shuffle_read - remote);
  }
  if (task.input) {
    metrics += fmt::format(R"(,"Input Metrics":{{"Bytes Read":{},"Records Read":1}})", *task.input);
  }
  return fmt::format(R"(,"Task Metrics":{{{}}})", metrics);
}

}  // namespace

std::string task_end(const TaskLine& task) {
  const auto partition = task.partition ? fmt::format(R"("Partition ID":{},)", *task.partition) : "";
  const auto id = task.id ? fmt::format(R"("Task ID":{},)", *task.id) : "";
  const auto message = task.message.empty() ? "" : fmt::format(R"(,"Description":"{}")", task.message);
  return fmt::format(
      R"({{"Event":"SparkListenerTaskEnd","Stage ID":{},"Stage Attempt ID":{},"Task Type":"ShuffleMapTask",)"
      R"("Task End Reason":{{"Reason":"{}"{}}},"Task Info":{{{}"Index":{},"Attempt":0,{}"Launch Time":{},"Executor ID":"1",)"
      R"("Speculative":{},"Finish Time":{},"Failed":false,"Killed":false,"Accumulables":[{{"ID":1,"Name":"x","Update":"]}}"}}]}}{}}})",
      task.stage, task.attempt, task.reason, message, id, task.index, partition, task.launch_ms, task.speculative, task.finish_ms,
      metrics_of(task));
}

std::string stage_info(const StageLine& stage) {
  auto info = fmt::format(R"({{"Stage ID":{},"Stage Attempt ID":{},"Stage Name":"count at A.scala:1","Number of Tasks":{},"Parent IDs":[])",
                          stage.id, stage.attempt, stage.tasks);
  if (stage.submitted_ms) {
    info += fmt::format(R"(,"Submission Time":{})", *stage.submitted_ms);
  }
  if (!stage.failure_reason.empty()) {
    info += fmt::format(R"(,"Failure Reason":"{}")", stage.failure_reason);
  }
  return info + stage.more + "}";
}

std::string stage_submitted(const StageLine& stage) {
  return fmt::format(R"({{"Event":"SparkListenerStageSubmitted","Stage Info":{},"Properties":{{{}}}}})", stage_info(stage),
                     stage.properties);
}

std::string stage_completed(const StageLine& stage) {
  return fmt::format(R"({{"Event":"SparkListenerStageCompleted","Stage Info":{}}})", stage_info(stage));
}

std::string job_start(int id, const std::vector<StageLine>& stages, const std::string& properties) {
  std::string infos;
  std::string ids;
  for (const auto& stage : stages) {
    infos += (infos.empty() ? "" : ",") + stage_info(stage);
    ids += fmt::format("{}{}", ids.empty() ? "" : ",", stage.id);
  }
  return fmt::format(
      R"({{"Event":"SparkListenerJobStart","Job ID":{},"Submission Time":400,"Stage Infos":[{}],"Stage IDs":[{}],"Properties":{{{}}}}})",
      id, infos, ids, properties);
}

std::string job_end(int id, const std::string& result) {
  return fmt::format(R"({{"Event":"SparkListenerJobEnd","Job ID":{},"Completion Time":3000,"Job Result":{{"Result":"{}"}}}})", id, result);
}

std::string log_start(const std::string& version) {
  return fmt::format(R"({{"Event":"SparkListenerLogStart","Spark Version":"{}"}})", version);
}

std::string environment(const std::string& spark_properties) {
  return fmt::format(R"({{"Event":"SparkListenerEnvironmentUpdate","JVM Information":{{}},"Spark Properties":{{{}}}}})", spark_properties);
}

std::string application_start() {
  return R"({"Event":"SparkListenerApplicationStart","App Name":"test","App ID":"local-1","Timestamp":100,"User":"u"})";
}

std::string application_end() {
  return R"({"Event":"SparkListenerApplicationEnd","Timestamp":4000})";
}

std::string executor_added(const std::string& id, int cores) {
  return fmt::format(
      R"({{"Event":"SparkListenerExecutorAdded","Timestamp":50,"Executor ID":"{}","Executor Info":{{"Host":"h","Total Cores":{}}}}})", id,
      cores);
}

std::string executor_removed(const std::string& id) {
  return fmt::format(R"({{"Event":"SparkListenerExecutorRemoved","Timestamp":60,"Executor ID":"{}","Removed Reason":"gone"}})", id);
}

std::string lines(std::initializer_list<std::string> events) {
  std::string text;
  for (const auto& event : events) {
    text += event + "\n";
  }
  return text;
}

std::string whole_log(const std::vector<StageLine>& stages, const std::vector<std::string>& events) {
  auto text = lines({log_start(), application_start(), job_start(0, stages)});
  for (const auto& event : events) {
    text += event + "\n";
  }
  return text + lines({job_end(0), application_end()});
}

std::string log_of_one_stage(const StageLine& stage, const std::vector<TaskLine>& tasks) {
  std::vector<std::string> events{stage_submitted(stage)};
  for (const auto& task : tasks) {
    events.push_back(task_end(task));
  }
  events.push_back(stage_completed(stage));
  return whole_log({stage}, events);
}

Result<Application> read_text(const std::string& log, const std::string& name) {
  return read_log_file(std::make_unique<MemorySource>(log), name);
}

}  // namespace stagegate
