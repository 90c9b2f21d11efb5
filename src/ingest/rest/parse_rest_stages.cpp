// Answers about jobs, stages and the RDDs that are cached.
#include <algorithm>
#include <utility>

#include "ingest/rest/parse_rest.h"
#include "ingest/rest/rest_json.h"

namespace stagegate {
namespace {

using rest::Fields;
using rest::ShapeError;

JobStatus job_status(std::string_view status) {
  return status == "SUCCEEDED" ? JobStatus::succeeded : status == "FAILED" ? JobStatus::failed : JobStatus::running;
}

RestJob job_of(const Fields& fields, ShapeError& error) {
  RestJob job;
  job.start.id = fields.required_integer("jobId");
  job.start.time_ms = fields.time("submissionTime");
  job.start.labels = {.group = fields.own_text("jobGroup"), .description = fields.own_text("description"), .sql_execution = {}};
  fields.each("stageIds", [&](const auto& id) { rest::add_integers(id, job.start.stage_ids, error); });
  job.status = job_status(fields.text("status").value_or(""));
  job.ended_ms = fields.time("completionTime");
  job.skipped_stages = fields.integer("numSkippedStages").value_or(0);
  return job;
}

StageStatus stage_status(std::string_view status) {
  constexpr std::pair<std::string_view, StageStatus> kStatuses[] = {{"COMPLETE", StageStatus::complete},
                                                                    {"FAILED", StageStatus::failed},
                                                                    {"ACTIVE", StageStatus::active},
                                                                    {"SKIPPED", StageStatus::skipped},
                                                                    {"PENDING", StageStatus::pending}};
  for (const auto& [name, value] : kStatuses) {
    if (status == name) {
      return value;
    }
  }
  return StageStatus::unknown;
}

// The first is the stage's own, the others come out of a hash set, as in the event log.
std::vector<RddInfo> rdds_of(const Fields& fields, ShapeError& error) {
  std::vector<std::int64_t> ids;
  fields.each("rddIds", [&](const auto& id) { rest::add_integers(id, ids, error); });
  if (ids.size() > 2) {
    std::sort(ids.begin() + 1, ids.end());
  }
  std::vector<RddInfo> rdds(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    rdds[i].id = ids[i];
  }
  return rdds;
}

StageInfo stage_info_of(const Fields& fields, ShapeError& error) {
  StageInfo info;
  info.id = fields.required_small_integer("stageId");
  info.attempt = fields.required_small_integer("attemptId");
  info.name = fields.own_text("name").value_or("");
  info.details = fields.own_text("details").value_or("");
  info.declared_tasks = fields.integer("numTasks").value_or(0);
  info.rdds = rdds_of(fields, error);
  info.submitted_ms = fields.time("submissionTime");
  info.completed_ms = fields.time("completionTime");
  info.failure_reason = fields.own_text("failureReason");
  info.resource_profile = fields.integer("resourceProfileId").value_or(0);
  return info;
}

RestStage stage_of(const Fields& fields, ShapeError& error) {
  return {.info = stage_info_of(fields, error),
          .status = stage_status(fields.text("status").value_or("")),
          .description = fields.own_text("description"),
          .first_launch_ms = fields.time("firstTaskLaunchedTime"),
          .active = fields.integer("numActiveTasks").value_or(0),
          .succeeded = fields.integer("numCompleteTasks").value_or(0),
          .failed = fields.integer("numFailedTasks").value_or(0),
          .killed = fields.integer("numKilledTasks").value_or(0)};
}

}  // namespace

Result<std::vector<RddInfo>> parse_rest_rdds(std::string_view body) {
  std::vector<RddInfo> rdds;
  STAGEGATE_TRY(rest::read_list(body, [&](const Fields& fields, ShapeError&) {
    rdds.push_back({.id = fields.required_integer("id"),
                    .name = fields.own_text("name").value_or(""),
                    .scope_name = {},
                    .call_site = {},
                    .parents = {},
                    .persisted = true,
                    .partitions = fields.integer("numPartitions").value_or(0),
                    .cached_partitions = fields.integer("numCachedPartitions").value_or(0),
                    .memory_bytes = fields.integer("memoryUsed").value_or(0),
                    .disk_bytes = fields.integer("diskUsed").value_or(0)});
  }));
  return rdds;
}

Result<std::vector<RestJob>> parse_rest_jobs(std::string_view body) {
  std::vector<RestJob> jobs;
  STAGEGATE_TRY(rest::read_list(body, [&](const Fields& fields, ShapeError& error) { jobs.push_back(job_of(fields, error)); }));
  return jobs;
}

Result<std::vector<RestStage>> parse_rest_stages(std::string_view body) {
  std::vector<RestStage> stages;
  STAGEGATE_TRY(rest::read_list(body, [&](const Fields& fields, ShapeError& error) { stages.push_back(stage_of(fields, error)); }));
  return stages;
}

}  // namespace stagegate
