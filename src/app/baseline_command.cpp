#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/commands.h"
#include "app/console.h"
#include "app/project.h"
#include "base/text.h"
#include "baseline/baseline_json.h"
#include "sys/file.h"
#include "sys/machine.h"

namespace stagegate {
namespace {

// How many entries of FROM have no equal in TO.
template <typename T>
std::size_t count_missing(const std::vector<T>& from, const std::vector<T>& to) {
  return static_cast<std::size_t>(
      std::count_if(from.begin(), from.end(), [&](const T& entry) { return std::find(to.begin(), to.end(), entry) == to.end(); }));
}

void add_count(std::vector<std::string>& parts, std::size_t count, std::string_view noun, std::string_view change) {
  if (count > 0) {
    parts.push_back(fmt::format("{} {}{} {}", count, noun, count == 1 ? "" : "s", change));
  }
}

// "1 finding added or changed, 3 stages added or changed, 1 stage removed or changed"
std::string describe_change(const Baseline& old, const Baseline& now) {
  std::vector<std::string> parts;
  add_count(parts, count_missing(now.findings, old.findings), "finding", "added or changed");
  add_count(parts, count_missing(old.findings, now.findings), "finding", "removed or changed");
  add_count(parts, count_missing(now.stages, old.stages), "stage", "added or changed");
  add_count(parts, count_missing(old.stages, now.stages), "stage", "removed or changed");
  if (!(old.conditions == now.conditions)) {
    parts.emplace_back("conditions changed");
  }
  return join(parts, ", ");
}

std::string describe_new(const Baseline& baseline) {
  std::vector<std::string> parts;
  add_count(parts, baseline.stages.size(), "stage", "kept");
  add_count(parts, baseline.findings.size(), "finding", "accepted");
  return "new: " + join(parts, ", ");
}

// Takes one pending file over; what changed, in words. Absent where there is none pending.
Result<std::optional<std::string>> accept_one(const Project& project, const JobVariant& job_variant) {
  const auto pending = pending_path(project, job_variant.job, job_variant.variant);
  if (!is_file(pending)) {
    return std::optional<std::string>();
  }
  const auto path = baseline_path(project.manifest, job_variant.job, job_variant.variant);
  const auto shown = display_path(path, current_folder());
  STAGEGATE_TRY_ASSIGN(text, read_file(pending, ErrorKind::usage));
  STAGEGATE_TRY_ASSIGN(now, read_baseline(text, display_path(pending, current_folder()), job_variant.job, job_variant.variant));
  const auto before = is_file(path) ? read_file(path, ErrorKind::usage).value_or("") : "";
  if (before == text) {
    return std::optional(fmt::format("{}: unchanged", shown));
  }
  // A file that cannot be read any more (merge conflicts) is replaced as a whole: that is the way out of it.
  const auto old = before.empty() ? std::nullopt : std::optional(read_baseline(before, shown, job_variant.job, job_variant.variant));
  STAGEGATE_TRY(write_file(path, text));
  return std::optional(fmt::format("{}: {}", shown, old && *old ? describe_change(**old, now) : describe_new(now)));
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
      without.push_back(fmt::format("{}/{}", job_variant.job, job_variant.variant));
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
  const auto project = load_project(options.common);
  if (!project) {
    return report_error(project.error());
  }
  if (!project->manifest.use_baselines) {
    return report_error({ErrorKind::usage,
                         fmt::format("{}: [baseline] use = false: there is nothing to accept", to_string(project->manifest.baseline_at))});
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
