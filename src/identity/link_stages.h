// Which stage of a run each stage of its baseline is.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/baseline.h"
#include "model/stage_links.h"
#include "model/stage_match.h"

namespace stagegate {

// Of two runs of which one or both are known from a baseline alone: as whole graphs (identity/match_graphs.h), or, where one of them is
// known by its keys only, by these.
std::vector<StageMatch> match_kept(std::span<const StageTraits> before, std::span<const StageTraits> after);

// The same of a baseline and of a run's TRAITS, as identify() gives them. Indices into the stages of the baseline and into TRAITS.
std::vector<StageMatch> match_baseline(const Baseline& accepted, std::span<const StageTraits> traits);

StageLinks links_of(const Baseline& accepted, std::span<const StageTraits> traits, std::span<const StageMatch> matches);

// Of two baselines: the accepted one, and what accepting a run would make of it.
StageLinks link_stages(const Baseline& accepted, const Baseline& pending);

}  // namespace stagegate
