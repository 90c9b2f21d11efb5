#include "identity/align_runs.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "identity/match_graphs.h"

namespace stagegate {
namespace {

using Partners = std::vector<std::optional<std::size_t>>;

std::map<std::string, std::size_t> by_fingerprint(std::span<const StageTraits> stages) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    places.emplace(stages[i].key.fingerprint, i);
  }
  return places;
}

// For each of STAGES, which of FIRST it is.
Partners partners_of(std::span<const StageTraits> first, std::span<const StageTraits> stages) {
  const auto places = by_fingerprint(first);
  Partners partners(stages.size());
  std::vector<bool> taken(first.size(), false);
  bool is_complete = true;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (const auto found = places.find(stages[i].key.fingerprint); found != places.end()) {
      partners[i] = found->second;
      taken[found->second] = true;
    } else {
      is_complete = false;
    }
  }
  if (is_complete) {
    return partners;
  }
  for (const auto& match : match_graphs(first, stages)) {
    if (!partners[match.after] && !taken[match.before]) {
      partners[match.after] = match.before;
      taken[match.before] = true;
    }
  }
  return partners;
}

}  // namespace

std::vector<RepeatedStage> align_runs(std::span<const std::vector<StageTraits>> runs) {
  if (runs.empty()) {
    return {};
  }
  std::vector<RepeatedStage> same;
  const auto add_row = [&](std::size_t run, std::size_t stage) {
    same.push_back({Partners(runs.size())});
    same.back().at[run] = stage;
  };
  for (std::size_t i = 0; i < runs.front().size(); ++i) {
    add_row(0, i);
  }
  std::map<std::string, std::size_t> later;  // rows of stages that the first run does not have
  for (std::size_t run = 1; run < runs.size(); ++run) {
    const auto partners = partners_of(runs.front(), runs[run]);
    for (std::size_t i = 0; i < partners.size(); ++i) {
      if (partners[i]) {
        same[*partners[i]].at[run] = i;
      } else if (const auto [place, is_new] = later.try_emplace(runs[run][i].key.fingerprint, same.size()); is_new) {
        add_row(run, i);
      } else {
        same[place->second].at[run] = i;
      }
    }
  }
  return same;
}

}  // namespace stagegate
