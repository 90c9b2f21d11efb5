#include "identity/link_stages.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "identity/identify.h"
#include "identity/kept_traits.h"
#include "identity/match_graphs.h"

namespace stagegate {
namespace {

std::vector<StageKey> keys_of(std::span<const StageTraits> stages) {
  std::vector<StageKey> keys;
  std::transform(stages.begin(), stages.end(), std::back_inserter(keys), [](const StageTraits& stage) { return stage.key; });
  return keys;
}

// Of a run that is known by its keys only no stage has work.
bool has_keys_only(std::span<const StageTraits> stages) {
  return std::all_of(stages.begin(), stages.end(), [](const StageTraits& stage) { return stage.work.empty(); });
}

std::vector<StageMatch> match_by_keys(std::span<const StageTraits> before, std::span<const StageTraits> after) {
  const auto partners = match_stages(keys_of(before), keys_of(after));
  std::vector<StageMatch> matches;
  for (std::size_t i = 0; i < partners.size(); ++i) {
    if (partners[i]) {
      const auto& [was, is] = std::pair(before[*partners[i]].key, after[i].key);
      const bool is_same = was.fingerprint == is.fingerprint || was.label == is.label;
      matches.push_back({.before = *partners[i], .after = i, .basis = is_same ? MatchBasis::same_work : MatchBasis::renamed});
    }
  }
  return matches;
}

std::vector<StageTraits> kept(std::span<const StageTraits> traits) {
  return kept_traits({traits.begin(), traits.end()});
}

}  // namespace

std::vector<StageMatch> match_kept(std::span<const StageTraits> before, std::span<const StageTraits> after) {
  return has_keys_only(before) || has_keys_only(after) ? match_by_keys(before, after) : match_graphs(kept(before), kept(after));
}

std::vector<StageMatch> match_baseline(const Baseline& accepted, std::span<const StageTraits> traits) {
  const auto before = traits_of(accepted);
  auto matches = match_kept(before.traits, traits);
  for (auto& match : matches) {
    match.before = before.stages[match.before];
  }
  return matches;
}

StageLinks links_of(const Baseline& accepted, std::span<const StageTraits> traits, std::span<const StageMatch> matches) {
  StageLinks links;
  for (const auto& match : matches) {
    const bool is_same_work = match.basis <= MatchBasis::renamed;
    links.add(accepted.stages[match.before].key, traits[match.after].key, is_same_work ? LinkedWork::same : LinkedWork::changed);
  }
  return links;
}

StageLinks link_stages(const Baseline& accepted, const Baseline& pending) {
  const auto after = traits_of(pending);
  return links_of(accepted, after.traits, match_baseline(accepted, after.traits));
}

}  // namespace stagegate
