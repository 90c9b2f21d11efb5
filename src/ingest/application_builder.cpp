#include "ingest/application_builder.h"

#include <algorithm>
#include <limits>
#include <variant>

#include "base/sort_each_once.h"
#include "base/work_together.h"

namespace stagegate {
namespace {

// What a later event says replaces what an earlier one said, but does not take away.
void merge(StageAttempt& stage, StageInfo& info) {
  stage.tasks.declared = info.declared_tasks;
  stage.resource_profile = info.resource_profile;
  if (!info.name.empty()) {
    stage.name = std::move(info.name);
  }
  if (!info.details.empty()) {
    stage.details = std::move(info.details);
  }
  if (!info.rdds.empty()) {
    stage.rdds = std::move(info.rdds);
  }
  if (!info.parents.empty()) {
    stage.parents = std::move(info.parents);
  }
  if (info.submitted_ms) {
    stage.submitted_ms = info.submitted_ms;
  }
  if (info.completed_ms) {
    stage.completed_ms = info.completed_ms;
  }
  if (info.failure_reason) {
    stage.failure_reason = std::move(info.failure_reason);
  }
  if (!info.accumulators.empty()) {
    sort_each_once(info.accumulators);
    stage.accumulators = std::move(info.accumulators);
  }
}

// The stage's own words where it has them, else the job's.
void fill_missing(Labels& labels, const Job& job) {
  labels.group = labels.group ? labels.group : job.group;
  labels.description = labels.description ? labels.description : job.description;
  labels.sql_execution = labels.sql_execution ? labels.sql_execution : job.sql_execution;
}

// By id; of several values of one accumulator the last.
void keep_last_values(std::vector<AccumulatorValue>& values) {
  std::stable_sort(values.begin(), values.end(), [](const AccumulatorValue& a, const AccumulatorValue& b) { return a.id < b.id; });
  const auto last = std::unique(values.rbegin(), values.rend(), [](const auto& a, const auto& b) { return a.id == b.id; });
  values.erase(values.begin(), last.base());
}

}  // namespace

void ApplicationBuilder::add(Event& event) {
  std::visit([this](auto& specific) { on(specific); }, event);
}

void ApplicationBuilder::on(LogStart& start) {
  application_.spark_version = std::move(start.spark_version);
}

void ApplicationBuilder::on(ApplicationStart& start) {
  misplaced_.repeated += started_ ? 1 : 0;
  misplaced_.early += !started_ && (!jobs_.empty() || !attempts_.empty()) ? 1 : 0;
  started_ = true;
  application_.id = std::move(start.id);
  application_.name = std::move(start.name);
  application_.attempt = std::move(start.attempt);
  application_.start_ms = start.time_ms;
}

void ApplicationBuilder::on(const ApplicationEnd& end) {
  misplaced_.repeated += ended_ ? 1 : 0;
  ended_ = true;
  application_.end_ms = end.time_ms;
}

void ApplicationBuilder::on(EnvironmentUpdate& environment) {
  cores_.set_properties(environment.spark_properties);
  application_.spark_properties = std::move(environment.spark_properties);
  application_.jvm = std::move(environment.jvm);
}

void ApplicationBuilder::on(ResourceProfileAdded& added) {
  application_.resource_profiles.push_back(std::move(added.profile));
}

void ApplicationBuilder::on(const DriverAccumulatorUpdates& updates) {
  application_.accumulator_values.insert(application_.accumulator_values.end(), updates.values.begin(), updates.values.end());
}

void ApplicationBuilder::on(const UnpersistRdd& unpersisted) {
  application_.unpersisted_rdds.push_back(unpersisted.id);
}

void ApplicationBuilder::on(ExecutorAdded& added) {
  cores_.add_executor(added.executor.id, added.executor.cores);
  application_.executors.push_back(std::move(added.executor));
}

void ApplicationBuilder::on(ExecutorRemoved& removed) {
  cores_.remove_executor(removed.id);
  const auto same = std::find_if(application_.executors.rbegin(), application_.executors.rend(),
                                 [&](const ExecutorInfo& executor) { return executor.id == removed.id && !executor.removed_ms; });
  if (same != application_.executors.rend()) {
    same->removed_ms = removed.time_ms;
    same->removed_reason = std::move(removed.reason);
  }
}

void ApplicationBuilder::on(JobStart& start) {
  auto& entry = jobs_[start.id];
  misplaced_.repeated += entry.started ? 1 : 0;
  misplaced_.early += !entry.started && entry.job.status != JobStatus::running ? 1 : 0;
  entry.started = true;
  entry.job.submitted_ms = start.time_ms;
  entry.job.group = std::move(start.labels.group);
  entry.job.description = std::move(start.labels.description);
  entry.job.sql_execution = start.labels.sql_execution;
  entry.stages.insert(start.stage_ids.begin(), start.stage_ids.end());
  for (auto& info : start.stage_infos) {
    entry.stages.insert(info.id);
    auto& listed = attempt(info.id, info.attempt);
    if (!listed.submitted) {
      merge(listed.stage, info);
    }
  }
  for (const auto stage : entry.stages) {
    jobs_of_stage_[stage].insert(start.id);
    if (start.stage_infos.empty() && stage >= 0 && stage <= std::numeric_limits<std::int32_t>::max()) {
      attempt(static_cast<std::int32_t>(stage), 0);
    }
  }
}

void ApplicationBuilder::on(JobEnd& end) {
  auto& job = jobs_[end.id].job;
  misplaced_.repeated += job.status != JobStatus::running ? 1 : 0;
  job.status = end.succeeded ? JobStatus::succeeded : JobStatus::failed;
  job.ended_ms = end.time_ms;
  job.error = std::move(end.error);
}

void ApplicationBuilder::on(StageSubmitted& submitted) {
  auto& target = attempt(submitted.stage.id, submitted.stage.attempt);
  misplaced_.repeated += target.submitted ? 1 : 0;
  misplaced_.early += !target.submitted && (target.completed || target.tasks) ? 1 : 0;
  target.submitted = true;
  target.labels = std::move(submitted.labels);
  merge(target.stage, submitted.stage);
  target.stage.cores = cores_.effective();
  application_.cores = target.stage.cores;
}

void ApplicationBuilder::on(StageCompleted& completed) {
  auto& target = attempt(completed.stage.id, completed.stage.attempt);
  misplaced_.repeated += target.completed ? 1 : 0;
  target.completed = true;
  if (target.tasks) {
    target.tasks->rest();
  }
  merge(target.stage, completed.stage);
  const auto& values = completed.stage.values;
  application_.accumulator_values.insert(application_.accumulator_values.end(), values.begin(), values.end());
}

// May come after the end of its stage and of its job: a killed copy takes its time.
void ApplicationBuilder::on(const TaskEnd& task) {
  if (task.kind != TaskEndKind::resubmitted && task.task_id >= 0) {
    misplaced_.repeated += ended_tasks_.insert(task.task_id) ? 0 : 1;
  }
  if (last_attempt_ == nullptr || last_attempt_->stage.id != task.stage || last_attempt_->stage.attempt != task.attempt) {
    last_attempt_ = &attempt(task.stage, task.attempt);
  }
  if (!last_attempt_->tasks) {
    last_attempt_->tasks = std::make_unique<AttemptBuilder>(depth_);
  }
  last_attempt_->tasks->add(task, depth_ == TaskDepth::all ? place_of(task) : 0);
}

std::size_t ApplicationBuilder::place_of(const TaskEnd& task) {
  auto& places = application_.places;
  const auto known = place_of_executor_.find(task.executor);
  if (known != place_of_executor_.end() && places[known->second].host == task.host) {
    return known->second;
  }
  places.push_back({std::string(task.executor), std::string(task.host)});
  place_of_executor_.insert_or_assign(std::string(task.executor), places.size() - 1);
  return places.size() - 1;
}

ApplicationBuilder::Attempt& ApplicationBuilder::attempt(std::int32_t stage, std::int32_t attempt) {
  auto& entry = attempts_[{stage, attempt}];
  entry.stage.id = stage;
  entry.stage.attempt = attempt;
  return entry;
}

// As Spark's own listener decides it: a stage that completes without ever having been submitted found all its output there.
StageStatus ApplicationBuilder::status_of(const Attempt& attempt) const {
  if (attempt.completed) {
    if (attempt.stage.failure_reason) {
      return StageStatus::failed;
    }
    return attempt.stage.submitted_ms || attempt.tasks != nullptr ? StageStatus::complete : StageStatus::skipped;
  }
  if (attempt.submitted) {
    return StageStatus::active;
  }
  if (attempt.tasks != nullptr) {
    return StageStatus::unknown;
  }
  const bool waits = std::any_of(attempt.stage.jobs.begin(), attempt.stage.jobs.end(),
                                 [&](std::int64_t job) { return jobs_.at(job).job.status == JobStatus::running; });
  return waits ? StageStatus::pending : StageStatus::skipped;
}

void ApplicationBuilder::finish_attempt(Attempt& attempt) {
  auto& stage = attempt.stage;
  if (const auto jobs = jobs_of_stage_.find(stage.id); jobs != jobs_of_stage_.end()) {
    stage.jobs.assign(jobs->second.begin(), jobs->second.end());
  }
  for (const auto job : stage.jobs) {
    fill_missing(attempt.labels, jobs_.at(job).job);
  }
  stage.group = std::move(attempt.labels.group);
  stage.description = std::move(attempt.labels.description);
  stage.sql_execution = attempt.labels.sql_execution;
  stage.status = status_of(attempt);
}

// What takes long is the order of the tasks' numbers.
void ApplicationBuilder::finish_tasks(int threads) {
  std::vector<Attempt*> with_tasks;
  for (auto& [key, attempt] : attempts_) {
    if (attempt.tasks) {
      with_tasks.push_back(&attempt);
    }
  }
  work_together(with_tasks.size(), threads, [&](std::size_t i) {
    with_tasks[i]->tasks->finish(with_tasks[i]->stage);
    with_tasks[i]->tasks.reset();
  });
}

LostEvents ApplicationBuilder::lost_events() const {
  LostEvents lost;
  lost.application_starts = application_.end_ms && !application_.start_ms ? 1 : 0;
  for (const auto& [key, attempt] : attempts_) {
    const bool ran = attempt.stage.status != StageStatus::skipped && attempt.stage.status != StageStatus::pending;
    lost.stage_submissions += ran && !attempt.submitted ? 1 : 0;
  }
  for (const auto& [id, entry] : jobs_) {
    lost.job_starts += entry.started ? 0 : 1;
    lost.job_ends += entry.job.status == JobStatus::running && application_.end_ms ? 1 : 0;
  }
  return lost;
}

BuiltApplication ApplicationBuilder::finish(int threads) && {
  for (auto& [key, attempt] : attempts_) {
    finish_attempt(attempt);
  }
  finish_tasks(threads);
  const auto lost = lost_events();
  application_.stages.reserve(attempts_.size());
  last_attempt_ = nullptr;
  while (!attempts_.empty()) {
    // One after the other, so that the stages are never there twice.
    application_.stages.push_back(std::move(attempts_.extract(attempts_.begin()).mapped().stage));
  }
  for (auto& [id, entry] : jobs_) {
    entry.job.id = id;
    entry.job.stages.assign(entry.stages.begin(), entry.stages.end());
    application_.jobs.push_back(std::move(entry.job));
  }
  application_.executions = executions_.finish();
  application_.plan_metric_names = executions_.take_metric_names();
  keep_last_values(application_.accumulator_values);
  return {std::move(application_), lost, misplaced_};
}

}  // namespace stagegate
