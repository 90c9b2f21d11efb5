#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/baseline_files.h"
#include "app/commands.h"
#include "app/console.h"
#include "base/text.h"
#include "baseline/baseline_json.h"
#include "baseline/describe_change.h"
#include "baseline/judge.h"
#include "baseline/take_over.h"
#include "identity/link_stages.h"
#include "sys/file.h"
#include "sys/machine.h"
#include "sys/write_file.h"

namespace stagegate {
namespace {

// Takes one pending file over as a whole; what changed, in words.
Result<std::string> accept_whole(const Project& project, const JobVariant& job_variant, const BaselineFile& pending) {
  const auto path = baseline_path(project.manifest, job_variant.job, job_variant.variant);
  const auto shown = display_path(path, current_folder());
  // A file that cannot be read any more (merge conflicts) is replaced: that is the way out of it.
  const auto before = read_accepted(project, job_variant).value_or(std::nullopt);
  if (before && before->text == pending.text) {
    return fmt::format("{}: unchanged", shown);
  }
  STAGEGATE_TRY(write_file(path, pending.text));
  const auto change = before ? describe_change(before->baseline, pending.baseline) : describe_new(pending.baseline);
  return fmt::format("{}: {}", shown, change.empty() ? "the same in another layout" : change);
}

// Takes the findings over that are meant; what changed, in words.
Result<std::string> accept_some(const Project& project, const JobVariant& job_variant, const BaselineFile& pending,
                                const FindingChoice& choice) {
  STAGEGATE_TRY_ASSIGN(accepted, read_accepted(project, job_variant));
  const auto all = fmt::format("'stagegate baseline accept --job {} --variant {}'", job_variant.job, job_variant.variant);
  if (!accepted) {
    return fail(ErrorKind::baseline,
                fmt::format("{}: there is no baseline to add findings to; accept all first, with {}", name_of(job_variant), all));
  }
  const auto links = link_stages(accepted->baseline, pending.baseline);
  if (const auto differing = differing_conditions(accepted->baseline, pending.baseline, links); !differing.empty()) {
    return fail(ErrorKind::baseline,
                fmt::format("{}: made under other conditions than the last run:\n{}\nIf this is meant, accept all, with {}",
                            accepted->shown, join(differing, "\n"), all));
  }
  const auto taken = take_over(accepted->baseline, pending.baseline, choice, links);
  if (taken.baseline == accepted->baseline) {
    return fmt::format("{}: {}", accepted->shown, taken.fitting == 0 ? "unchanged: no finding of the last run fits" : "unchanged");
  }
  STAGEGATE_TRY(write_file(accepted->path, write_baseline(taken.baseline)));
  return fmt::format("{}: {}", accepted->shown, describe_change(accepted->baseline, taken.baseline));
}

int accept_each(const Project& project, const std::vector<JobVariant>& job_variants, const FindingChoice& choice) {
  std::vector<std::string> without;
  for (const auto& job_variant : job_variants) {
    const auto pending = read_pending(project, job_variant);
    if (pending && !*pending) {
      without.push_back(name_of(job_variant));
      continue;
    }
    const auto accepted = pending.and_then([&](const std::optional<BaselineFile>& file) {
      return choice.is_everything() ? accept_whole(project, job_variant, *file) : accept_some(project, job_variant, *file, choice);
    });
    if (!accepted) {
      return report_error(accepted.error());
    }
    print_result(*accepted + "\n");
  }
  if (without.size() == job_variants.size()) {
    return report_error({ErrorKind::nothing, "nothing to accept: no run has left a result to accept; start one with 'stagegate run'"});
  }
  if (!without.empty()) {
    print_message(fmt::format("no result to accept of {}: not run, or not to be judged", join(without, ", ")));
  }
  return 0;
}

// A pattern that no rule fits is a typing mistake.
Status check_rules(const Project& project, const FindingChoice& choice) {
  std::vector<std::string> known;
  for (const auto& rule : project.rules) {
    known.push_back(rule.id);
  }
  for (const auto& pattern : choice.rules) {
    if (std::none_of(known.begin(), known.end(), [&](const std::string& id) { return matches_glob(pattern, id); })) {
      return fail(ErrorKind::usage, fmt::format("--rule {}: no rule fits{}", pattern, did_you_mean(pattern, known)));
    }
  }
  return {};
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
  if (const auto checked = check_rules(*project, options.choice); !checked) {
    return report_error(checked.error());
  }
  const auto job_variants = resolve(project->manifest, {.jobs = options.jobs, .variants = options.variants, .conf = {}});
  return job_variants ? accept_each(*project, *job_variants, options.choice) : report_error(job_variants.error());
}

}  // namespace stagegate
