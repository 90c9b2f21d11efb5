#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/baseline_files.h"
#include "app/commands.h"
#include "app/console.h"
#include "base/text.h"
#include "baseline/describe_change.h"
#include "sys/file.h"
#include "sys/machine.h"

namespace stagegate {
namespace {

// Takes one pending file over; what changed, in words. Absent where there is none pending.
Result<std::optional<std::string>> accept_one(const Project& project, const JobVariant& job_variant) {
  STAGEGATE_TRY_ASSIGN(pending, read_pending(project, job_variant));
  if (!pending) {
    return std::optional<std::string>();
  }
  const auto path = baseline_path(project.manifest, job_variant.job, job_variant.variant);
  const auto shown = display_path(path, current_folder());
  // A file that cannot be read any more (merge conflicts) is replaced as a whole: that is the way out of it.
  const auto before = read_accepted(project, job_variant).value_or(std::nullopt);
  if (before && before->text == pending->text) {
    return std::optional(fmt::format("{}: unchanged", shown));
  }
  STAGEGATE_TRY(write_file(path, pending->text));
  return std::optional(
      fmt::format("{}: {}", shown, before ? describe_change(before->baseline, pending->baseline) : describe_new(pending->baseline)));
}

int accept_all(const Project& project, const std::vector<JobVariant>& job_variants) {
  std::vector<std::string> without;
  for (const auto& job_variant : job_variants) {
    const auto accepted = accept_one(project, job_variant);
    if (!accepted) {
      return report_error(accepted.error());
    }
    if (*accepted) {
      print_result(**accepted + "\n");
    } else {
      without.push_back(name_of(job_variant));
    }
  }
  if (without.size() == job_variants.size()) {
    return report_error({ErrorKind::nothing, "nothing to accept: no run has left a result to accept; start one with 'stagegate run'"});
  }
  if (!without.empty()) {
    print_message(fmt::format("no result to accept of {}: not run, or not to be judged", join(without, ", ")));
  }
  return 0;
}

}  // namespace

int baseline_accept_command(const BaselineAcceptOptions& options) {
  const auto project = load_project_with_baselines(options.common, "accept");
  if (!project) {
    return report_error(project.error());
  }
  if (is_ci()) {
    return report_error(
        {ErrorKind::usage,
         fmt::format("in CI no baseline is written; take {}/pending from the job's artifacts, copy it over the repository, and "
                     "commit it, or run 'stagegate baseline accept' on a machine of yours",
                     display_path(project->report_dir, current_folder()))});
  }
  const auto job_variants = resolve(project->manifest, {.jobs = options.jobs, .variants = options.variants, .conf = {}});
  return job_variants ? accept_all(*project, *job_variants) : report_error(job_variants.error());
}

}  // namespace stagegate
