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

std::string render_report_json(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings,
                               int threads) {
  std::map<std::int32_t, const StageKey*> keys;
  for (const auto& stage : stages) {
    keys.emplace(stage.id, &stage.key);
  }
  LastAttempts last_attempts;
  for (const auto& attempt : application.stages) {
    last_attempts[attempt.id] = attempt.attempt;
  }
  DocumentWriter writer;
  writer.member("schema", "stagegate.report/1");
  writer.member("application", application_json(application));
  writer.member("evidence", evidence_json(application.evidence));
  writer.member("cores", or_null(application.cores));
  writer.list("jobs", application.jobs.size(), [&](std::size_t i) { return job_of(application.jobs[i]); });
  writer.list(
      "stages", application.stages.size(),
      [&](std::size_t i) {
        const auto& attempt = application.stages[i];
        const auto key = keys.find(attempt.id);
        return attempt_json(attempt, key == keys.end() ? StageKey() : *key->second);
      },
      threads);
  writer.list("findings", findings.size(), [&](std::size_t i) {
    const auto attempt = last_attempts.find(findings[i].stage_id);
    return finding_json(findings[i], attempt == last_attempts.end() ? std::nullopt : std::optional(attempt->second));
  });
  return std::move(writer).finish();
}

}  // namespace stagegate
