#include "app/baseline_files.h"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "baseline/baseline_json.h"
#include "sys/file.h"

namespace stagegate {
namespace {

Result<std::optional<BaselineFile>> read_one(std::string path, const JobVariant& job_variant) {
  if (!is_file(path)) {
    return std::optional<BaselineFile>();
  }
  auto shown = display_path(path, current_folder());
  STAGEGATE_TRY_ASSIGN(text, read_file(path, ErrorKind::usage));
  STAGEGATE_TRY_ASSIGN(baseline, read_baseline(text, shown, job_variant.job, job_variant.variant));
  return std::optional(
      BaselineFile{.path = std::move(path), .shown = std::move(shown), .text = std::move(text), .baseline = std::move(baseline)});
}

std::set<std::string> wanted_baselines(const Project& project) {
  std::set<std::string> wanted;
  if (const auto all = resolve(project.manifest, {})) {
    for (const auto& job_variant : *all) {
      wanted.insert(baseline_path(project.manifest, job_variant.job, job_variant.variant));
    }
  }
  return wanted;
}

}  // namespace

Result<Project> load_project_with_baselines(const CommonOptions& options, std::string_view verb) {
  auto project = load_project(options);
  if (project && !project->manifest.use_baselines) {
    return fail(ErrorKind::usage,
                fmt::format("{}: [baseline] use = false: there is nothing to {}", to_string(project->manifest.baseline_at), verb));
  }
  return project;
}

Result<std::optional<BaselineFile>> read_accepted(const Project& project, const JobVariant& job_variant) {
  return read_one(baseline_path(project.manifest, job_variant.job, job_variant.variant), job_variant);
}

Result<std::optional<BaselineFile>> read_pending(const Project& project, const JobVariant& job_variant) {
  return read_one(pending_path(project, job_variant.job, job_variant.variant), job_variant);
}

std::vector<OrphanedBaseline> orphaned_baselines(const Project& project) {
  constexpr std::string_view kEnding = ".json";
  const auto wanted = wanted_baselines(project);
  std::vector<OrphanedBaseline> orphans;
  const auto& folder = project.manifest.baseline_dir;
  for (const auto& job : list_folder(folder).value_or(std::vector<std::string>{})) {
    const auto job_folder = absolute_path(job, folder);
    for (const auto& name : list_folder(job_folder).value_or(std::vector<std::string>{})) {
      const auto path = absolute_path(name, job_folder);
      if (name.ends_with(kEnding) && !wanted.contains(path)) {
        orphans.push_back({.job = job,
                           .variant = name.substr(0, name.size() - kEnding.size()),
                           .path = path,
                           .shown = display_path(path, current_folder())});
      }
    }
  }
  return orphans;
}

Result<BaselineSelection> select_baselines(const Project& project, const BaselineOptions& options) {
  BaselineSelection selection;
  selection.orphans = orphaned_baselines(project);
  std::erase_if(selection.orphans, [&](const OrphanedBaseline& orphan) {
    return !matches_any_glob(options.jobs, orphan.job) || !matches_any_glob(options.variants, orphan.variant);
  });
  auto job_variants = resolve(project.manifest, {.jobs = options.jobs, .variants = options.variants, .conf = {}});
  if (job_variants) {
    selection.job_variants = std::move(*job_variants);
  } else if (selection.orphans.empty()) {
    return fail(std::move(job_variants));
  }
  return selection;
}

std::string name_of(const JobVariant& job_variant) {
  return fmt::format("{}/{}", job_variant.job, job_variant.variant);
}

}  // namespace stagegate
