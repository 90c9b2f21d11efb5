#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/baseline_files.h"
#include "app/commands.h"
#include "app/console.h"
#include "baseline/describe_change.h"
#include "sys/file.h"

namespace stagegate {
namespace {

// What accepting it would have done, in words.
std::string describe_pending(const Project& project, const JobVariant& job_variant) {
  const auto pending = read_pending(project, job_variant);
  if (!pending || !*pending) {
    return "it could not be read";
  }
  const auto accepted = read_accepted(project, job_variant);
  if (!accepted) {
    return "in place of a baseline that cannot be read";
  }
  if (!*accepted) {
    return describe_new((*pending)->baseline);
  }
  const auto change = describe_change((*accepted)->baseline, (*pending)->baseline);
  return change.empty() ? "the same as the baseline" : change;
}

int reject_each(const Project& project, const std::vector<JobVariant>& job_variants) {
  std::size_t dropped = 0;
  for (const auto& job_variant : job_variants) {
    const auto path = pending_path(project, job_variant.job, job_variant.variant);
    if (!is_file(path)) {
      continue;
    }
    const auto words = describe_pending(project, job_variant);
    if (const auto removed = remove_one(path); !removed) {
      return report_error(removed.error());
    }
    print_result(fmt::format("{}: dropped ({})\n", display_path(path, current_folder()), words));
    ++dropped;
  }
  return dropped > 0 ? 0 : report_error({ErrorKind::nothing, "nothing to reject: no run has left a result to accept"});
}

}  // namespace

int baseline_reject_command(const BaselineRejectOptions& options) {
  const auto project = load_project_with_baselines(options.common, "reject");
  if (!project) {
    return report_error(project.error());
  }
  const auto job_variants = resolve(project->manifest, {.jobs = options.jobs, .variants = options.variants, .conf = {}});
  return job_variants ? reject_each(*project, *job_variants) : report_error(job_variants.error());
}

}  // namespace stagegate
