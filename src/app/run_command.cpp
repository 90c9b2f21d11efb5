#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/commands.h"
#include "app/console.h"
#include "app/ended_runs.h"
#include "app/judge_variant.h"
#include "app/live_view.h"
#include "app/notices.h"
#include "app/project.h"
#include "app/show_plans.h"
#include "app/write_reports.h"
#include "run/run_jobs.h"
#include "sys/interrupt.h"
#include "sys/machine.h"

namespace stagegate {
namespace {

Result<Selection> selection_of(const RunOptions& options) {
  Selection selection{.jobs = options.jobs, .variants = options.variants, .conf = {}, .runs = options.runs};
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
        places_(runs_of(job_variants_)),
        options_(options),
        color_(color_for(options.common.color, Stream::out)),
        today_(today_utc()),
        view_(names(), is_terminal(Stream::err) ? LiveStyle::redrawn : LiveStyle::plain_lines,
              {terminal_width(Stream::err), terminal_height(Stream::err)}) {}

  RunResult execute() {
    for (const auto& job_variant : job_variants_) {
      result_.variants.push_back(start_result(project_, job_variant));
      ended_.emplace_back(job_variant);
    }
    run_jobs(job_variants_, run_options(), observer());
    result_.interrupt_signal = interrupt_signal();
    const bool everything = options_.jobs.empty() && options_.variants.empty();
    add_notices(project_, everything ? Selected::everything : Selected::some, used_suppressions_, today_, result_);
    return std::move(result_);
  }

 private:
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [variant, number] : places_) {
      const auto& one = job_variants_[variant];
      const auto run = one.runs > 1 ? fmt::format(", run {} of {}", number, one.runs) : std::string();
      names.push_back(fmt::format("{}/{}{}", one.job, one.variant, run));
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
    const auto [variant, number] = places_[index];
    const auto& job_variant = job_variants_[variant];
    auto ended = look_at_run(job_variant, run);
    view_.end(index, run.end == RunEnd::not_started ? "not started" : describe_end(run, job_variant.timeout));
    const bool failed = !ended.can_be_judged();
    ended_[variant].add(number, std::move(ended));
    if (!ended_[variant].all_have_ended()) {
      return failed;
    }
    auto& result = result_.variants[variant];
    conclude(variant, result);
    print_in_order();
    return result.state != VariantState::judged || std::any_of(result.findings.begin(), result.findings.end(), fails);
  }

  void conclude(std::size_t variant, VariantResult& result) {
    auto runs = ended_[variant].conclude(result);
    if (runs.empty()) {
      return;
    }
    if (const auto judged = judge_variant(project_, job_variants_[variant], std::move(runs),
                                          {.today = today_, .versions = options_.versions}, result, used_suppressions_);
        !judged) {
      print_message(judged.error().message);
      result_.output_failed = true;
    }
  }

  // Variants end in any order; they are shown in the manifest's, so that two runs print the same.
  void print_in_order() {
    for (; printed_ < ended_.size() && ended_[printed_].all_have_ended(); ++printed_) {
      view_.clear();
      print_result(render_variant_text(result_.variants[printed_], color_));
      print_result("\n");
      flush_results();
    }
  }

  const Project& project_;
  std::vector<JobVariant> job_variants_;
  std::vector<RunPlace> places_;
  const RunOptions& options_;
  Color color_;
  std::string today_;
  LiveView view_;
  RunResult result_;
  std::vector<std::size_t> used_suppressions_;
  std::vector<EndedRuns> ended_;
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
