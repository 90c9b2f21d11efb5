#include "app/notices.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "sys/file.h"

namespace stagegate {
namespace {

bool all_judged(const RunResult& result) {
  return std::all_of(result.variants.begin(), result.variants.end(),
                     [](const VariantResult& variant) { return variant.state == VariantState::judged; });
}

bool is_expired(const Suppression& suppression, const std::string& today) {
  return suppression.until && *suppression.until < today;
}

void add_suppression_notices(const Project& project, bool complete, const std::vector<std::size_t>& used, const std::string& today,
                             std::vector<std::string>& notices) {
  const auto& suppressions = project.manifest.suppressions;
  for (std::size_t i = 0; i < suppressions.size(); ++i) {
    const auto& suppression = suppressions[i];
    if (is_expired(suppression, today)) {
      notices.push_back(fmt::format("{}: this suppression of '{}' expired on {}: remove it or give it a new date",
                                    to_string(suppression.at), suppression.rule, *suppression.until));
    } else if (complete && std::find(used.begin(), used.end(), i) == used.end()) {
      notices.push_back(
          fmt::format("{}: this suppression of '{}' matches no finding: remove it", to_string(suppression.at), suppression.rule));
    }
  }
}

}  // namespace

std::vector<std::string> orphaned_baselines(const Project& project) {
  std::set<std::string> wanted;
  if (const auto all = resolve(project.manifest, {})) {
    for (const auto& job_variant : *all) {
      wanted.insert(baseline_path(project.manifest, job_variant.job, job_variant.variant));
    }
  }
  std::vector<std::string> orphans;
  const auto& folder = project.manifest.baseline_dir;
  for (const auto& job : list_folder(folder).value_or(std::vector<std::string>{})) {
    const auto job_folder = absolute_path(job, folder);
    for (const auto& name : list_folder(job_folder).value_or(std::vector<std::string>{})) {
      const auto path = absolute_path(name, job_folder);
      if (name.ends_with(".json") && !wanted.contains(path)) {
        orphans.push_back(display_path(path, current_folder()));
      }
    }
  }
  return orphans;
}

void add_notices(const Project& project, Selected selected, const std::vector<std::size_t>& used_suppressions, const std::string& today,
                 RunResult& result) {
  const bool complete = selected == Selected::everything && all_judged(result);
  add_suppression_notices(project, complete, used_suppressions, today, result.notices);
  if (selected == Selected::everything && project.manifest.use_baselines) {
    for (const auto& orphan : orphaned_baselines(project)) {
      result.notices.push_back(fmt::format("{}: no job variant of the manifest has this baseline: delete it", orphan));
    }
  }
}

}  // namespace stagegate
