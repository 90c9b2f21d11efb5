// The facts of an application, and the tasks that are asked for in their turn, put together as the events of a log would be: so winners,
// waste, statuses and cores come out of the same code.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "ingest/application_builder.h"
#include "ingest/read_rest.h"
#include "ingest/rest/rest_client.h"
#include "ingest/rest/rest_values.h"
#include "ingest/rest/stage_tasks.h"
#include "model/application.h"

namespace stagegate {

class RestAssembly {
 public:
  // BASE: "/api/v1/applications/app-1".
  RestAssembly(RestClient& client, std::string base, RestFacts facts, const RestOptions& options);

  Result<Application> build() &&;

 private:
  // What happened at a time, in the order that decides among equals.
  struct Moment {
    std::int64_t time_ms = 0;
    enum class Kind : std::uint8_t { executor_added, stage_submitted, executor_removed } kind = Kind::executor_added;
    std::size_t index = 0;
  };

  void add(Event event) { builder_.add(event); }
  void index_facts();
  void add_start();
  void add_jobs();
  void add_executions();
  void add_end();
  std::vector<Moment> moments() const;
  Status add_moment(const Moment& moment);
  Status add_stage(const RestStage& stage);
  Status add_tasks(const RestStage& stage);
  void check_tasks(const RestStage& stage, StageTasks& tasks);
  JobStart job_start(const RestJob& job) const;
  void add_infos(std::int64_t stage, std::vector<StageInfo>& infos) const;
  std::string failure_of(const RestJob& job) const;
  std::string failure_of(const RestExecution& execution) const;
  Labels labels_of(const RestStage& stage) const;
  Application with_evidence(BuiltApplication&& built) const;

  RestClient& client_;
  std::string base_;
  RestFacts facts_;
  TaskListOptions task_list_;
  ApplicationBuilder builder_;
  std::map<std::int64_t, std::int64_t> execution_of_job_;
  std::map<std::int64_t, std::vector<std::size_t>> attempts_of_stage_;  // indices into facts_.stages
  std::map<std::int64_t, std::vector<std::size_t>> jobs_of_stage_;      // indices into facts_.jobs
  RemovedExecutors removed_;
  std::vector<std::string> lacking_tasks_;  // a text a stage attempt
  std::int64_t vanished_stages_ = 0;
};

}  // namespace stagegate
