#include <algorithm>

#include <fmt/format.h>

#include "app/baseline_files.h"
#include "app/commands.h"
#include "app/console.h"
#include "app/project.h"
#include "baseline/baseline_json.h"
#include "sys/file.h"

namespace stagegate {
namespace {

// What is wrong with the files that the manifest speaks of, printed as it is found; the exit code.
class Validation {
 public:
  explicit Validation(const Project& project) : project_(project) {}

  int run(const std::vector<JobVariant>& job_variants) {
    for (const auto& job_variant : job_variants) {
      check_app(job_variant);
      check_baseline(job_variant);
    }
    for (const auto& orphan : orphaned_baselines(project_)) {
      report(ExitCode::baseline_trouble, fmt::format("{}: no job variant of the manifest has this baseline: delete it", orphan.shown));
    }
    if (code_ == ExitCode::passed) {
      print_result(fmt::format("{}: {} job variants, {} rules, {} baselines: all well\n", project_.manifest.file, job_variants.size(),
                               project_.rules.size(), baselines_));
    }
    return static_cast<int>(code_);
  }

 private:
  void check_app(const JobVariant& job_variant) {
    if (!job_variant.app || is_file(*job_variant.app)) {
      return;
    }
    report(ExitCode::usage, fmt::format("{}: job {}: there is no file {}", to_string(job_variant.job_at), job_variant.job,
                                        display_path(*job_variant.app, current_folder())));
  }

  void check_baseline(const JobVariant& job_variant) {
    const auto path = baseline_path(project_.manifest, job_variant.job, job_variant.variant);
    if (!project_.manifest.use_baselines || !is_file(path)) {
      return;
    }
    const auto text = read_file(path, ErrorKind::usage);
    const auto shown = display_path(path, current_folder());
    const auto baseline =
        text ? read_baseline(*text, shown, job_variant.job, job_variant.variant) : Result<Baseline>(tl::unexpected(text.error()));
    if (!baseline) {
      report(ExitCode::usage, baseline.error().message);
      return;
    }
    ++baselines_;
  }

  void report(ExitCode code, const std::string& message) {
    if (message != last_) {  // a job's missing file would come once for each of its variants
      print_message(message);
    }
    last_ = message;
    code_ = code_ == ExitCode::usage ? code_ : code;
  }

  const Project& project_;
  ExitCode code_ = ExitCode::passed;
  std::size_t baselines_ = 0;
  std::string last_;
};

}  // namespace

int validate_command(const ValidateOptions& options) {
  const auto project = load_project(options.common);
  if (!project) {
    return report_error(project.error());
  }
  const auto job_variants = resolve(project->manifest, {});
  if (!job_variants) {
    return report_error(job_variants.error());
  }
  return Validation(*project).run(*job_variants);
}

}  // namespace stagegate
