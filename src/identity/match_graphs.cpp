#include "identity/match_graphs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "identity/graph_side.h"
#include "identity/likeness.h"
#include "identity/stage_hashes.h"

namespace stagegate {
namespace {

// Below this, two stages have too little in common to be called the same.
constexpr std::array kEnough{0.9, 0.8, 0.72, 0.65};
// What is left between matched neighbours needs so much less.
constexpr double kBetweenNeighbours = 0.1;
// Two candidates that differ by less are as good as each other.
constexpr double kSameLikeness = 0.01;
// A stage that only likeness can tell looks at so many of each kind of candidates.
constexpr std::size_t kMostCandidates = 48;

// The stages without a partner, by a key; in their order.
using Groups = std::unordered_map<std::uint64_t, Indices>;

template <typename KeyOf>
Groups open_by(const GraphSide& side, KeyOf key_of) {
  Groups groups;
  for (Index i = 0; i < side.stages.size(); ++i) {
    if (!side.partner[i]) {
      groups[key_of(side, i)].push_back(i);
    }
  }
  return groups;
}

class GraphMatcher {
 public:
  GraphMatcher(std::span<const StageTraits> before, std::span<const StageTraits> after, SiblingOrder siblings)
      : before_(before), after_(after), words_(words_of(before, after)), siblings_(siblings) {}

  std::vector<StageMatch> run() {
    match_by_hashes();
    for (const auto enough : kEnough) {
      do {
        match_between_neighbours(enough - kBetweenNeighbours);
      } while (match_alike(enough));
    }
    std::sort(matches_.begin(), matches_.end(), [](const StageMatch& a, const StageMatch& b) { return a.after < b.after; });
    return std::move(matches_);
  }

 private:
  void match_by_hashes() {
    const auto lineage = [](const GraphSide& side, Index i) {
      return mixed(mixed(side.hashes.own_up[i], side.hashes.own_down[i]), side.hashes.own[i]);
    };
    const auto upstream = [](const GraphSide& side, Index i) { return side.hashes.own_up[i]; };
    const auto downstream = [](const GraphSide& side, Index i) { return side.hashes.own_down[i]; };
    const auto own = [](const GraphSide& side, Index i) { return side.hashes.own[i]; };
    match_equal(lineage, MatchBasis::same_lineage, Several::in_order);
    match_equal(upstream, MatchBasis::same_work, Several::in_order);
    match_equal(downstream, MatchBasis::same_work, Several::in_order);
    match_equal(own, MatchBasis::same_work, Several::in_order);
    const auto work_lineage = [](const GraphSide& side, Index i) { return mixed(side.hashes.work_up[i], side.hashes.work_down[i]); };
    const auto work_upstream = [](const GraphSide& side, Index i) { return side.hashes.work_up[i]; };
    const auto work_downstream = [](const GraphSide& side, Index i) { return side.hashes.work_down[i]; };
    const auto work = [](const GraphSide& side, Index i) { return side.hashes.work[i]; };
    match_equal(work_lineage, MatchBasis::renamed, Several::stay_open);
    match_equal(work_upstream, MatchBasis::renamed, Several::stay_open);
    match_equal(work_downstream, MatchBasis::renamed, Several::stay_open);
    match_equal(work, MatchBasis::renamed, Several::stay_open);
  }

  // What to do with several stages of one key.
  enum class Several : std::uint8_t { in_order, stay_open };

  template <typename KeyOf>
  void match_equal(KeyOf key_of, MatchBasis basis, Several several) {
    const auto groups = open_by(before_, key_of);
    for (const auto& [key, wanted] : open_by(after_, key_of)) {
      if (const auto found = groups.find(key); found != groups.end()) {
        match_group(found->second, wanted, basis, several);
      }
    }
  }

  void match_group(const Indices& before, const Indices& after, MatchBasis basis, Several several) {
    if (before.size() == 1 && after.size() == 1) {
      return accept({.before = before[0], .after = after[0], .basis = basis});
    }
    const auto left = match_equal_amounts(before, after, basis);
    if (several == Several::in_order && left.first.size() == left.second.size()) {
      match_in_order(left.first, left.second, basis);
    }
  }

  // Those of a group whose amounts are the same on both sides and tell them apart; gives the rest.
  std::pair<Indices, Indices> match_equal_amounts(const Indices& before, const Indices& after, MatchBasis basis) {
    std::map<decltype(StageTraits::amounts), std::pair<Indices, Indices>> by_amounts;
    for (const auto i : before) {
      by_amounts[before_.stages[i].amounts].first.push_back(i);
    }
    for (const auto i : after) {
      by_amounts[after_.stages[i].amounts].second.push_back(i);
    }
    std::pair<Indices, Indices> rest;
    for (const auto& [amounts, both] : by_amounts) {
      if (both.first.size() == 1 && both.second.size() == 1) {
        accept({.before = both.first[0], .after = both.second[0], .basis = basis});
        continue;
      }
      rest.first.insert(rest.first.end(), both.first.begin(), both.first.end());
      rest.second.insert(rest.second.end(), both.second.begin(), both.second.end());
    }
    return rest;
  }

  // As many on both sides: the order in which they ran is all there is; where it is not known, the largest of an action come first. Equal
  // amounts on one side: nobody can tell them apart.
  void match_in_order(Indices before, Indices after, MatchBasis basis) {
    sort_group(before_, before);
    sort_group(after_, after);
    for (Index i = 0; i < before.size(); ++i) {
      const auto& amounts = before_.stages[before[i]].amounts;
      const auto same = std::count_if(before.begin(), before.end(), [&](Index other) { return before_.stages[other].amounts == amounts; });
      accept({.before = before[i], .after = after[i], .basis = basis, .ambiguous = same > 1});
    }
  }

  void sort_group(const GraphSide& side, Indices& group) const {
    std::sort(group.begin(), group.end());
    if (siblings_ == SiblingOrder::unknown) {
      std::stable_sort(group.begin(), group.end(), [&](Index a, Index b) {
        const auto& [one, other] = std::tie(side.stages[a], side.stages[b]);
        return one.action == other.action ? one.amounts > other.amounts : one.action < other.action;
      });
    }
  }

  void accept(const StageMatch& match) {
    before_.partner[match.before] = match.after;
    after_.partner[match.after] = match.before;
    matches_.push_back(match);
    note_action(match);
  }

  // Actions go together as their stages do.
  void note_action(const StageMatch& match) {
    const auto& before = before_.stages[match.before].action;
    const auto& after = after_.stages[match.after].action;
    if (before && after) {
      ++actions_[{*before, *after}];
      ++actions_of_before_[*before];
      ++actions_of_after_[*after];
    }
  }

  // 1: most matched stages of either action are in the other; 0: they are elsewhere; in between where nothing is known.
  double action_likeness(const StageTraits& a, const StageTraits& b) const {
    if (!a.action || !b.action) {
      return 0.5;
    }
    const auto count = [](const auto& counts, const auto& key) {
      const auto found = counts.find(key);
      return found == counts.end() ? 0 : found->second;
    };
    const auto of_before = count(actions_of_before_, *a.action);
    const auto of_after = count(actions_of_after_, *b.action);
    const auto of_both = count(actions_, std::pair(*a.action, *b.action));
    const auto most = std::max(of_before, of_after);
    return most == 0 ? 0.5 : static_cast<double>(of_both) / static_cast<double>(most);
  }

  // Of all neighbours of both: matched to each other 1, matched elsewhere 0, open half.
  double neighbour_likeness(Index before, Index after) const {
    double sum = 0;
    std::size_t all = 0;
    add_neighbours(before_.stages[before].producers, after_.stages[after].producers, sum, all);
    add_neighbours(before_.consumers[before], after_.consumers[after], sum, all);
    return all == 0 ? 0.5 : sum / static_cast<double>(all);
  }

  void add_neighbours(const Indices& before, const Indices& after, double& sum, std::size_t& all) const {
    for (const auto neighbour : before) {
      const auto& partner = before_.partner[neighbour];
      const bool is_there = partner && std::find(after.begin(), after.end(), *partner) != after.end();
      sum += is_there ? 1.0 : partner || after.empty() ? 0.0 : 0.5;
      ++all;
    }
    for (const auto neighbour : after) {
      const auto& partner = after_.partner[neighbour];
      const bool is_there = partner && std::find(before.begin(), before.end(), *partner) != before.end();
      sum += is_there ? 1.0 : partner || before.empty() ? 0.0 : 0.5;
      ++all;
    }
  }

  double likeness(Index before, Index after) const {
    const auto& a = before_.stages[before];
    const auto& b = after_.stages[after];
    const auto work = work_likeness(words_.before[before], words_.after[after]);
    const double purpose = a.purpose == b.purpose ? 1.0 : 0.0;
    const double order = in_order(before_, before, after_, after) ? 1.0 : 0.0;
    return 0.35 * work + 0.15 * sink_likeness(a, b) + 0.1 * purpose + 0.1 * action_likeness(a, b) +
           0.1 * neighbour_likeness(before, after) + 0.15 * order + 0.05 * amount_likeness(a, b);
  }

  // Whether the nearest matched stages of other actions stand on the same side in both runs: authors add, take away and rename more often
  // than they reorder.
  static bool in_order(const GraphSide& before, Index b, const GraphSide& after, Index a) {
    const auto stands = [&](const std::optional<Index>& anchor, auto is_right) {
      const auto partner = anchor ? before.partner[*anchor] : std::nullopt;
      return !partner || is_right(*partner, a) || after.stages[*partner].action == after.stages[a].action;
    };
    return stands(before.matched_before[b], std::less<Index>()) && stands(before.matched_behind[b], std::greater<Index>());
  }

  // Where a pair has one open producer (or consumer) on each side, these two are likely to be the same.
  void match_between_neighbours(double enough) {
    before_.look_around();
    after_.look_around();
    for (Index next = 0; next < matches_.size(); ++next) {
      const auto match = matches_[next];
      match_only_open(before_.stages[match.before].producers, after_.stages[match.after].producers, enough);
      match_only_open(before_.consumers[match.before], after_.consumers[match.after], enough);
    }
  }

  void match_only_open(const Indices& before, const Indices& after, double enough) {
    const auto only = [](const Indices& all, const GraphSide& side) -> std::optional<Index> {
      std::optional<Index> found;
      for (const auto i : all) {
        if (!side.partner[i] && found) {
          return std::nullopt;
        }
        found = side.partner[i] ? found : std::optional(i);
      }
      return found;
    };
    const auto b = only(before, before_);
    const auto a = only(after, after_);
    if (b && a) {
      if (const auto alike = likeness(*b, *a); alike >= enough && is_best(*b, *a, alike)) {
        accept({.before = *b, .after = *a, .basis = MatchBasis::neighbours, .likeness = alike});
      }
    }
  }

  // Whether neither is more like an open stage elsewhere.
  bool is_best(Index before, Index after, double alike) const {
    const auto better_before = [&](Index other) { return other != before && !before_.partner[other] && likeness(other, after) > alike; };
    const auto better_after = [&](Index other) { return other != after && !after_.partner[other] && likeness(before, other) > alike; };
    const auto rivals_before = nearest(before_, after, after_);
    const auto rivals_after = nearest(after_, before, before_);
    return std::none_of(rivals_before.begin(), rivals_before.end(), better_before) &&
           std::none_of(rivals_after.begin(), rivals_after.end(), better_after);
  }

  struct Candidate {
    double likeness = 0;
    Index before = 0;
    Index after = 0;
  };

  // Matches the pairs of which each is the other's best; true where there were any.
  bool match_alike(double enough) {
    before_.look_around();
    after_.look_around();
    auto candidates = likely_candidates(enough);
    const auto of_before = likenesses_by(&Candidate::before, candidates);
    const auto of_after = likenesses_by(&Candidate::after, candidates);
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      return std::tuple(-a.likeness, a.after, a.before) < std::tuple(-b.likeness, b.after, b.before);
    });
    const auto count = matches_.size();
    for (const auto& candidate : candidates) {
      if (!before_.partner[candidate.before] && !after_.partner[candidate.after]) {
        accept({.before = candidate.before,
                .after = candidate.after,
                .basis = MatchBasis::likeness,
                .likeness = candidate.likeness,
                .ambiguous = has_rival(of_before.at(candidate.before), candidate.likeness) ||
                             has_rival(of_after.at(candidate.after), candidate.likeness)});
      }
    }
    return matches_.size() > count;
  }

  // How alike each open stage is to its candidates, ascending.
  using Likenesses = std::unordered_map<Index, std::vector<double>>;

  static Likenesses likenesses_by(Index Candidate::*side, const std::vector<Candidate>& candidates) {
    Likenesses all;
    for (const auto& candidate : candidates) {
      all[candidate.*side].push_back(candidate.likeness);
    }
    for (auto& [stage, likenesses] : all) {
      std::sort(likenesses.begin(), likenesses.end());
    }
    return all;
  }

  // Besides the chosen one itself.
  static bool has_rival(const std::vector<double>& likenesses, double chosen) {
    const auto begin = std::lower_bound(likenesses.begin(), likenesses.end(), chosen - kSameLikeness);
    const auto end = std::upper_bound(begin, likenesses.end(), chosen + kSameLikeness);
    return end - begin > 1;
  }

  std::vector<Candidate> likely_candidates(double enough) const {
    std::vector<Candidate> candidates;
    for (const auto after : after_.open) {
      for (const auto before : nearest(before_, after, after_)) {
        if (const auto alike = likeness(before, after); alike >= enough) {
          candidates.push_back({alike, before, after});
        }
      }
    }
    return candidates;
  }

  // The open ones of SIDE, where there are very many those at about the place that STAGE has in the other one.
  static std::span<const Index> nearest(const GraphSide& side, Index stage, const GraphSide& other) {
    const std::span<const Index> open = side.open;
    if (open.size() <= kMostCandidates) {
      return open;
    }
    const auto wanted = stage * side.stages.size() / other.stages.size();
    const auto at = static_cast<std::size_t>(std::lower_bound(open.begin(), open.end(), wanted) - open.begin());
    const auto begin = std::min(at - std::min(at, kMostCandidates / 2), open.size() - kMostCandidates);
    return open.subspan(begin, kMostCandidates);
  }

  GraphSide before_;
  GraphSide after_;
  WordsOfGraphs words_;
  SiblingOrder siblings_;
  std::vector<StageMatch> matches_;
  std::map<std::pair<std::int64_t, std::int64_t>, int> actions_;
  std::map<std::int64_t, int> actions_of_before_;
  std::map<std::int64_t, int> actions_of_after_;
};

}  // namespace

std::vector<StageMatch> match_graphs(std::span<const StageTraits> before, std::span<const StageTraits> after, SiblingOrder siblings) {
  return GraphMatcher(before, after, siblings).run();
}

}  // namespace stagegate
