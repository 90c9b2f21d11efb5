#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/commands.h"
#include "app/console.h"
#include "app/judge_variant.h"
#include "app/notices.h"
#include "app/project.h"
#include "app/read_source.h"
#include "app/write_reports.h"
#include "sys/file.h"
#include "sys/machine.h"

namespace stagegate {
namespace {

Result<JobVariant> find_job_variant(const Project& project, const CheckOptions& options) {
  STAGEGATE_TRY_ASSIGN(found, resolve(project.manifest, {.jobs = {options.job}, .variants = {options.variant}, .conf = {}}));
  if (found.size() != 1) {
    return fail(ErrorKind::usage,
                fmt::format("--job {} --variant {} fits {} variants; an event log is of one", options.job, options.variant, found.size()));
  }
  return found.front();
}

// The error is a pending file that could not be written.
Status judge_log(const Project& project, const JobVariant& job_variant, Result<Application> application, const JudgeOptions& options,
                 VariantResult& result, std::vector<std::size_t>& used_suppressions) {
  if (!application) {
    set_trouble(result, std::nullopt, {VariantState::no_evidence, application.error().message, {}});
    return {};
  }
  std::vector<RunEvidence> runs;
  runs.push_back(identify_run(std::move(*application)));
  if (auto trouble = trouble_with(job_variant, runs.front())) {
    set_trouble(result, std::move(runs.front()), *std::move(trouble));
    return {};
  }
  return judge_variant(project, job_variant, std::move(runs), options, result, used_suppressions);
}

VariantResult check(const Project& project, const JobVariant& job_variant, Result<Application> application, SparkVersions versions,
                    RunResult& run) {
  auto result = start_result(project, job_variant);
  const auto today = today_utc();
  std::vector<std::size_t> used_suppressions;
  const auto judged =
      judge_log(project, job_variant, std::move(application), {.today = today, .versions = versions}, result, used_suppressions);
  if (!judged) {
    print_message(judged.error().message);
    run.output_failed = true;
  }
  add_notices(project, Selected::some, used_suppressions, today, run);
  return result;
}

}  // namespace

int check_command(const CheckOptions& options) {
  const auto project = load_project(options.common);
  if (!project) {
    return end_with_error(project.error(), early_report_dir(options.common));
  }
  const auto job_variant = find_job_variant(*project, options);
  if (!job_variant) {
    return end_with_error(job_variant.error(), project->report_dir);
  }
  const auto lock = take_report_dir(*project, {&*job_variant, 1});
  if (!lock) {
    return report_error(lock.error());
  }
  auto application = read_source(options.source, TaskDepth::judged);
  if (!application && application.error().kind == ErrorKind::usage) {
    return end_with_error(application.error(), project->report_dir);
  }
  RunResult result;
  result.variants.push_back(check(*project, *job_variant, std::move(application), options.versions, result));
  write_reports(project->report_dir, result);
  const auto color = color_for(options.common.color, Stream::out);
  print_result(render_variant_text(result.variants.front(), color) + "\n" + render_summary_text(result, color));
  return static_cast<int>(exit_code_of(result));
}

}  // namespace stagegate
