// `stagegate report --format json`: the schema stagegate.report/1. Member names and their order are an interface.
#include <map>
#include <string_view>
#include <utility>

#include "report/json_parts.h"
#include "report/report.h"

namespace stagegate {
namespace {

std::string_view to_text(JobStatus status) {
  switch (status) {
    case JobStatus::succeeded:
      return "SUCCEEDED";
    case JobStatus::failed:
      return "FAILED";
    case JobStatus::running:
      return "RUNNING";
  }
  return {};
}

json::object job_of(const Job& job) {
  return {
      {"id", job.id},
      {"status", to_text(job.status)},
      {"group", or_null(job.group)},
      {"description", or_null(job.description)},
      {"sql_execution", or_null(job.sql_execution)},
      {"stages", ids_json(job.stages)},
  };
}

// The attempt of a stage that a finding is shown with: the last one.
using LastAttempts = std::map<std::int32_t, std::int32_t>;

}  // namespace

std::string render_report_json(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings) {
  std::map<std::int32_t, const StageKey*> keys;
  for (const auto& stage : stages) {
    keys.emplace(stage.id, &stage.key);
  }
  LastAttempts last_attempts;
  json::array jobs;
  for (const auto& job : application.jobs) {
    jobs.push_back(job_of(job));
  }
  json::array attempts;
  for (const auto& attempt : application.stages) {
    const auto key = keys.find(attempt.id);
    attempts.push_back(attempt_json(attempt, key == keys.end() ? StageKey() : *key->second));
    last_attempts[attempt.id] = attempt.attempt;
  }
  json::array found;
  for (const auto& finding : findings) {
    const auto attempt = last_attempts.find(finding.stage_id);
    found.push_back(finding_json(finding, attempt == last_attempts.end() ? std::nullopt : std::optional(attempt->second)));
  }
  return write_document({
      {"schema", "stagegate.report/1"},
      {"application", application_json(application)},
      {"evidence", evidence_json(application.evidence)},
      {"cores", or_null(application.cores)},
      {"jobs", std::move(jobs)},
      {"stages", std::move(attempts)},
      {"findings", std::move(found)},
  });
}

}  // namespace stagegate
