#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/commands.h"
#include "app/console.h"
#include "app/judge_variant.h"
#include "app/live_view.h"
#include "app/notices.h"
#include "app/project.h"
#include "app/served_evidence.h"
#include "app/show_plans.h"
#include "app/write_reports.h"
#include "base/units.h"
#include "run/find_evidence.h"
#include "run/run_jobs.h"
#include "sys/file.h"
#include "sys/interrupt.h"
#include "sys/machine.h"

namespace stagegate {
namespace {

// Enough for a Python traceback with what led to it; the whole output stays in the run's folder.
constexpr std::size_t kOutputLines = 30;

Result<Selection> selection_of(const RunOptions& options) {
  Selection selection{.jobs = options.jobs, .variants = options.variants, .conf = {}};
  for (const auto& property : options.conf) {
    const auto equals = property.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(ErrorKind::usage, fmt::format("--conf {}: write KEY=VALUE, such as --conf spark.sql.shuffle.partitions=8", property));
    }
    if (!property.starts_with("spark.")) {
      return fail(ErrorKind::usage,
                  fmt::format("--conf {}: the key does not begin with 'spark.', and Spark drops such properties", property));
    }
    selection.conf.emplace_back(property.substr(0, equals), property.substr(equals + 1));
  }
  return selection;
}

// One invocation: the project, what is selected, and the results as they come.
class Run {
 public:
  Run(const Project& project, std::vector<JobVariant> job_variants, const RunOptions& options)
      : project_(project),
        job_variants_(std::move(job_variants)),
        options_(options),
        color_(color_for(options.common.color, Stream::out)),
        today_(today_utc()),
        view_(names(), is_terminal(Stream::err) ? LiveStyle::redrawn : LiveStyle::plain_lines, terminal_width(Stream::err)) {}

  RunResult execute() {
    for (const auto& job_variant : job_variants_) {
      result_.variants.push_back(start_result(project_, job_variant));
    }
    ended_.assign(job_variants_.size(), false);
    run_jobs(job_variants_, run_options(), observer());
    result_.interrupt_signal = interrupt_signal();
    const bool everything = options_.jobs.empty() && options_.variants.empty();
    add_notices(project_, everything ? Selected::everything : Selected::some, used_suppressions_, today_, result_);
    return std::move(result_);
  }

 private:
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& job_variant : job_variants_) {
      names.push_back(fmt::format("{}/{}", job_variant.job, job_variant.variant));
    }
    return names;
  }

  RunJobsOptions run_options() const {
    RunJobsOptions options;
    options.report_dir = project_.report_dir;
    options.parallel = options_.parallel;
    options.on_failure = options_.on_failure;
    options.search = {.environment = environment_variable, .manifest_dir = project_.manifest.dir};
    return options;
  }

  RunObserver observer() {
    return {
        .on_start = [this](std::size_t index) { view_.start(index); },
        .on_progress = [this](std::size_t index, const JobProgress& progress) { view_.progress(index, progress); },
        .on_end = [this](std::size_t index, const JobRun& run) { return end(index, run); },
    };
  }

  bool end(std::size_t index, const JobRun& run) {
    auto& result = result_.variants[index];
    conclude(job_variants_[index], run, result);
    view_.end(index, run.end == RunEnd::not_started ? "not started" : describe_end(run, job_variants_[index].timeout));
    ended_[index] = true;
    print_in_order();
    return result.state != VariantState::judged || std::any_of(result.findings.begin(), result.findings.end(), fails);
  }

  void conclude(const JobVariant& job_variant, const JobRun& run, VariantResult& result) {
    result.run_dir = run.run_dir.empty() ? "" : display_path(run.run_dir, current_folder());
    result.started_ms = run.started_ms;
    result.duration_ms = run.duration_ms;
    switch (run.end) {
      case RunEnd::not_started:
        result.state = run.problem.empty() ? VariantState::not_started : VariantState::job_failed;
        result.reason = run.problem.empty() ? not_started_reason() : run.problem;
        return;
      case RunEnd::interrupted:
        result.state = VariantState::interrupted;
        result.reason = "stopped because stagegate was interrupted";
        return;
      case RunEnd::signalled:
      case RunEnd::timed_out:
        return fail_job(job_variant, run, result);
      case RunEnd::exited:
        return run.exit_status == 0 ? judge_run(job_variant, run, result) : fail_job(job_variant, run, result);
    }
  }

  static std::string not_started_reason() {
    return interrupt_signal() ? "not started: stagegate was interrupted before its turn"
                              : "not started: a variant before it failed and --fail-fast was given";
  }

  static void fail_job(const JobVariant& job_variant, const JobRun& run, VariantResult& result) {
    result.state = VariantState::job_failed;
    result.reason = fmt::format("the job {}", describe_end(run, job_variant.timeout));
    result.detail = describe_output(run, kOutputLines);
  }

  void judge_run(const JobVariant& job_variant, const JobRun& run, VariantResult& result) {
    const auto& place = job_variant.evidence;
    const bool is_served = place.history_server && !place.log_dir_is_here;
    auto application = is_served ? read_served_evidence(run, place) : read_evidence(run, place);
    if (!application) {
      result.state = VariantState::no_evidence;
      result.reason = application.error().message;
      return;
    }
    if (const auto judged = judge_variant(project_, job_variant, std::move(*application), {.today = today_, .versions = options_.versions},
                                          result, used_suppressions_);
        !judged) {
      print_message(judged.error().message);
      result_.output_failed = true;
    }
  }

  // Variants end in any order; they are shown in the manifest's, so that two runs print the same.
  void print_in_order() {
    for (; printed_ < ended_.size() && ended_[printed_]; ++printed_) {
      view_.clear();
      print_result(render_variant_text(result_.variants[printed_], color_));
      print_result("\n");
      flush_results();
    }
  }

  const Project& project_;
  std::vector<JobVariant> job_variants_;
  const RunOptions& options_;
  Color color_;
  std::string today_;
  LiveView view_;
  RunResult result_;
  std::vector<std::size_t> used_suppressions_;
  std::vector<bool> ended_;
  std::size_t printed_ = 0;
};

}  // namespace

int run_command(const RunOptions& options) {
  const auto project = load_project(options.common);
  if (!project) {
    return end_with_error(project.error(), early_report_dir(options.common));
  }
  const auto selection = selection_of(options);
  const auto job_variants =
      selection ? resolve(project->manifest, *selection) : Result<std::vector<JobVariant>>(tl::unexpected(selection.error()));
  if (!job_variants) {
    return end_with_error(job_variants.error(), project->report_dir);
  }
  if (options.dry_run) {
    return show_plans(*project, *job_variants);
  }
  const auto lock = take_report_dir(*project, *job_variants);
  if (!lock) {
    return report_error(lock.error());
  }
  watch_interrupts();
  auto result = Run(*project, *job_variants, options).execute();
  write_reports(project->report_dir, result);
  print_result(render_summary_text(result, color_for(options.common.color, Stream::out)));
  return static_cast<int>(exit_code_of(result));
}

}  // namespace stagegate
