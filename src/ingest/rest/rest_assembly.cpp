#include "ingest/rest/rest_assembly.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/error_text.h"
#include "base/saturating.h"
#include "ingest/completeness.h"
#include "ingest/rest/retention.h"

namespace stagegate {
namespace {

bool has_run(const RestStage& stage) {
  return stage.status == StageStatus::complete || stage.status == StageStatus::failed || stage.status == StageStatus::active;
}

bool has_tasks(const RestStage& stage) {
  return stage.active != 0 || stage.succeeded != 0 || stage.failed != 0 || stage.killed != 0 || stage.status == StageStatus::active;
}

// Logs of old versions say it only when the stage has completed.
std::int64_t submission_of(const RestStage& stage) {
  constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
  return stage.info.submitted_ms.value_or(stage.first_launch_ms.value_or(kLast));
}

bool was_active(const RestJob& job, std::int64_t time_ms) {
  return (!job.start.time_ms || *job.start.time_ms <= time_ms) && (!job.ended_ms || time_ms <= *job.ended_ms);
}

// What the server knows of cached RDDs goes to each stage that has them.
void fill_cached(RestFacts& facts) {
  std::map<std::int64_t, const RddInfo*> cached;
  for (const auto& rdd : facts.cached) {
    cached.emplace(rdd.id, &rdd);
  }
  for (auto& stage : facts.stages) {
    for (auto& rdd : stage.info.rdds) {
      if (const auto known = cached.find(rdd.id); known != cached.end()) {
        rdd = *known->second;
      }
    }
  }
}

// By id, whatever the order of the answers.
void put_in_order(RestFacts& facts) {
  const auto by_attempt = [](const RestStage& a, const RestStage& b) {
    return std::tie(a.info.id, a.info.attempt) < std::tie(b.info.id, b.info.attempt);
  };
  std::stable_sort(facts.stages.begin(), facts.stages.end(), by_attempt);
  std::stable_sort(facts.jobs.begin(), facts.jobs.end(), [](const RestJob& a, const RestJob& b) { return a.start.id < b.start.id; });
  std::stable_sort(facts.executions.begin(), facts.executions.end(),
                   [](const RestExecution& a, const RestExecution& b) { return a.start.id < b.start.id; });
}

}  // namespace

RestAssembly::RestAssembly(RestClient& client, std::string base, RestFacts facts, const RestOptions& options)
    : client_(client), base_(std::move(base)), facts_(std::move(facts)), builder_(options.depth) {
  task_list_ = {.depth = options.depth, .page_size = options.page_size, .release = release_of(facts_.attempt.spark_version)};
  put_in_order(facts_);
  fill_cached(facts_);
  index_facts();
}

void RestAssembly::index_facts() {
  for (std::size_t i = 0; i < facts_.stages.size(); ++i) {
    attempts_of_stage_[facts_.stages[i].info.id].push_back(i);
  }
  for (std::size_t i = 0; i < facts_.jobs.size(); ++i) {
    const auto& ids = facts_.jobs[i].start.stage_ids;
    for (const auto stage : std::set<std::int64_t>(ids.begin(), ids.end())) {
      jobs_of_stage_[stage].push_back(i);
    }
  }
  for (const auto& execution : facts_.executions) {
    for (const auto job : execution.jobs) {
      execution_of_job_.emplace(job, execution.start.id);
    }
  }
  for (const auto& executor : facts_.executors) {
    if (executor.removed_ms) {
      removed_.insert_or_assign(executor.id, *executor.removed_ms);
    }
  }
}

void RestAssembly::add_start() {
  if (facts_.attempt.spark_version && !facts_.attempt.spark_version->empty()) {
    add(LogStart{*facts_.attempt.spark_version});
  }
  add(ApplicationStart{
      .name = facts_.application.name, .id = facts_.application.id, .attempt = facts_.attempt.id, .time_ms = facts_.attempt.start_ms});
  add(facts_.environment.properties);
  for (auto& profile : facts_.environment.profiles) {
    add(ResourceProfileAdded{std::move(profile)});
  }
}

// A stage that ran says more itself, when it is submitted. One that is not there any more has but its number.
void RestAssembly::add_infos(std::int64_t stage, std::vector<StageInfo>& infos) const {
  const auto attempts = attempts_of_stage_.find(stage);
  if (attempts != attempts_of_stage_.end()) {
    for (const auto index : attempts->second) {
      const auto& known = facts_.stages[index];
      infos.push_back(has_run(known) ? StageInfo() : known.info);
      infos.back().id = known.info.id;
      infos.back().attempt = known.info.attempt;
    }
  } else if (stage >= 0 && stage <= std::numeric_limits<std::int32_t>::max()) {
    infos.emplace_back().id = static_cast<std::int32_t>(stage);
  }
}

JobStart RestAssembly::job_start(const RestJob& job) const {
  auto start = job.start;
  for (const auto stage : job.start.stage_ids) {
    add_infos(stage, start.stage_infos);
  }
  if (const auto execution = execution_of_job_.find(job.start.id); execution != execution_of_job_.end()) {
    start.labels.sql_execution = execution->second;
  }
  return start;
}

// The API does not say why a job failed; where a stage of it was given up, Spark gives both the same words.
std::string RestAssembly::failure_of(const RestJob& job) const {
  for (const auto id : job.start.stage_ids) {
    const auto attempts = attempts_of_stage_.find(id);
    if (job.status != JobStatus::failed || attempts == attempts_of_stage_.end()) {
      continue;
    }
    const auto& reason = facts_.stages[attempts->second.back()].info.failure_reason;
    if (reason && reason->starts_with("Job aborted due to stage failure")) {
      return *reason;
    }
  }
  return "";
}

// Before Spark 4.2 the API does not say why an execution failed; most do because a job did.
std::string RestAssembly::failure_of(const RestExecution& execution) const {
  for (const auto& job : facts_.jobs) {
    const bool is_its = std::find(execution.jobs.begin(), execution.jobs.end(), job.start.id) != execution.jobs.end();
    if (auto failure = is_its ? failure_of(job) : std::string(); !failure.empty()) {
      return failure;
    }
  }
  return "it failed, and the server does not say why";
}

void RestAssembly::add_jobs() {
  for (const auto& job : facts_.jobs) {
    add(job_start(job));
    if (job.status != JobStatus::running) {
      add(JobEnd{.id = job.start.id,
                 .succeeded = job.status == JobStatus::succeeded,
                 .time_ms = job.ended_ms,
                 .error = std::string(error_line(failure_of(job)))});
    }
  }
}

std::vector<RestAssembly::Moment> RestAssembly::moments() const {
  std::vector<Moment> moments;
  for (std::size_t i = 0; i < facts_.executors.size(); ++i) {
    moments.push_back({facts_.executors[i].added_ms, Moment::Kind::executor_added, i});
    if (facts_.executors[i].removed_ms) {
      moments.push_back({*facts_.executors[i].removed_ms, Moment::Kind::executor_removed, i});
    }
  }
  for (std::size_t i = 0; i < facts_.stages.size(); ++i) {
    if (has_run(facts_.stages[i])) {
      moments.push_back({submission_of(facts_.stages[i]), Moment::Kind::stage_submitted, i});
    }
  }
  std::sort(moments.begin(), moments.end(),
            [](const Moment& a, const Moment& b) { return std::tie(a.time_ms, a.kind, a.index) < std::tie(b.time_ms, b.kind, b.index); });
  return moments;
}

Status RestAssembly::add_moment(const Moment& moment) {
  if (moment.kind == Moment::Kind::stage_submitted) {
    return add_stage(facts_.stages[moment.index]);
  }
  auto executor = facts_.executors[moment.index];
  if (moment.kind == Moment::Kind::executor_added) {
    executor.removed_ms.reset();
    executor.removed_reason.clear();
    add(ExecutorAdded{std::move(executor)});
  } else {
    add(ExecutorRemoved{.id = executor.id, .time_ms = moment.time_ms, .reason = executor.removed_reason});
  }
  return {};
}

// Spark runs a stage with the properties of the first of its jobs that is active (DAGScheduler.submitStage); of them the API has the
// description only, so the rest is that job's.
Labels RestAssembly::labels_of(const RestStage& stage) const {
  Labels labels;
  if (const auto jobs = jobs_of_stage_.find(stage.info.id); jobs != jobs_of_stage_.end()) {
    const auto active = std::find_if(jobs->second.begin(), jobs->second.end(),
                                     [&](std::size_t job) { return was_active(facts_.jobs[job], submission_of(stage)); });
    if (active != jobs->second.end()) {
      const auto& job = facts_.jobs[*active].start;
      labels.group = job.labels.group;
      if (const auto execution = execution_of_job_.find(job.id); execution != execution_of_job_.end()) {
        labels.sql_execution = execution->second;
      }
    }
  }
  labels.description = stage.description;
  return labels;
}

Status RestAssembly::add_stage(const RestStage& stage) {
  add(StageSubmitted{.stage = stage.info, .labels = labels_of(stage)});
  STAGEGATE_TRY(add_tasks(stage));
  if (stage.status != StageStatus::active) {
    auto info = stage.info;
    if (stage.status == StageStatus::failed && !info.failure_reason) {
      info.failure_reason = "";
    }
    add(StageCompleted{std::move(info)});
  }
  return {};
}

Status RestAssembly::add_tasks(const RestStage& stage) {
  if (!has_tasks(stage)) {
    return {};
  }
  STAGEGATE_TRY_ASSIGN(tasks, read_stage_tasks(client_, base_, stage, task_list_));
  if (!tasks) {
    ++vanished_stages_;
    return {};
  }
  check_tasks(stage, *tasks);
  tasks->replay([&](Event& event) { builder_.add(event); });
  return {};
}

void RestAssembly::check_tasks(const RestStage& stage, StageTasks& tasks) {
  const auto lost = stage.failed - tasks.failed();
  const bool explained = lost <= 0 || tasks.resubmit(lost, removed_);
  if (!explained || tasks.succeeded() < stage.succeeded || tasks.killed() < stage.killed) {
    const auto ends = saturating_add(saturating_add(stage.succeeded, stage.failed), stage.killed);
    const auto rows = tasks.succeeded() + tasks.failed() + tasks.killed();
    lacking_tasks_.push_back(fmt::format("stage {}.{} has {} of {}", stage.info.id, stage.info.attempt, rows, ends));
  }
}

void RestAssembly::add_executions() {
  for (auto& execution : facts_.executions) {
    if (execution.end && execution.failed && !execution.end->error) {
      execution.end->error = failure_of(execution);
    }
    add(std::move(execution.start));
    if (execution.end) {
      add(*std::move(execution.end));
    }
  }
}

void RestAssembly::add_end() {
  if (facts_.has_ended()) {
    add(ApplicationEnd{facts_.attempt.end_ms});
  }
}

Application RestAssembly::with_evidence(BuiltApplication&& built) const {
  auto application = std::move(built.application);
  const ServerState state{.running = !facts_.has_ended(), .lacking_tasks = lacking_tasks_};
  auto problems = find_holes(application, built.lost, state, built.misplaced);
  if (auto problem = forgotten(facts_, vanished_stages_)) {
    problems.push_back(*std::move(problem));
  }
  advise(problems, EvidenceSource::server);
  application.evidence.problems = std::move(problems);
  return application;
}

Result<Application> RestAssembly::build() && {
  add_start();
  add_jobs();
  for (const auto& moment : moments()) {
    STAGEGATE_TRY(add_moment(moment));
  }
  add_executions();
  add_end();
  return with_evidence(std::move(builder_).finish());
}

}  // namespace stagegate
