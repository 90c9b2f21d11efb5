#include "app/notices.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/baseline_files.h"

namespace stagegate {
namespace {

bool all_judged(const RunResult& result) {
  return std::all_of(result.variants.begin(), result.variants.end(),
                     [](const VariantResult& variant) { return variant.state == VariantState::judged; });
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

void add_notices(const Project& project, Selected selected, const std::vector<std::size_t>& used_suppressions, const std::string& today,
                 RunResult& result) {
  const bool complete = selected == Selected::everything && all_judged(result);
  add_suppression_notices(project, complete, used_suppressions, today, result.notices);
  if (selected == Selected::everything && project.manifest.use_baselines) {
    for (const auto& orphan : orphaned_baselines(project)) {
      result.notices.push_back(fmt::format("{}: no job variant of the manifest has this baseline: delete it", orphan.shown));
    }
  }
}

}  // namespace stagegate
