#include "identity/kept_traits.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "identity/stable_hash.h"

namespace stagegate {
namespace {

constexpr std::size_t kHashLength = 8;

std::string short_hash(std::string_view text) {
  return to_hex(stable_hash(text)).substr(0, kHashLength);
}

std::string kept_line(std::string line) {
  if (line.size() <= kKeptLineLength) {
    return line;
  }
  const auto ending = fmt::format(" ... #{}", short_hash(line));
  return std::string(first_bytes(line, kKeptLineLength - ending.size())) + ending;
}

void cut_work(std::vector<std::string>& work) {
  std::transform(work.begin(), work.end(), work.begin(), kept_line);
  if (work.size() <= kKeptLines) {
    return;
  }
  const auto first_left_out = work.begin() + (kKeptLines - 2);
  const auto last_left_out = work.end() - 1;
  std::string left_out;
  std::for_each(first_left_out, last_left_out, [&](const std::string& line) { left_out += line + '\n'; });
  const auto count = last_left_out - first_left_out;
  work.erase(first_left_out + 1, last_left_out);
  *first_left_out = fmt::format("{} more #{}", count, short_hash(left_out));
}

using IndexOf = std::map<std::string_view, std::size_t>;  // by fingerprint

IndexOf indices_of(const Baseline& baseline) {
  IndexOf indices;
  for (std::size_t i = 0; i < baseline.stages.size(); ++i) {
    indices.emplace(baseline.stages[i].key.fingerprint, i);
  }
  return indices;
}

// The stages of BASELINE in the order of their actions, each behind those that it reads from; of a file that was merged by hand as far as
// that goes.
class Order {
 public:
  explicit Order(const Baseline& baseline)
      : baseline_(baseline),
        indices_(indices_of(baseline)),
        actions_(baseline.stages.size()),
        is_entered_(baseline.stages.size(), false),
        is_placed_(baseline.stages.size(), false) {
    for (std::size_t action = 0; action < baseline.actions.size(); ++action) {
      for (const auto stage : known(baseline.actions[action])) {
        actions_[stage] = actions_[stage] ? actions_[stage] : std::optional(static_cast<std::int64_t>(action));
        place(stage);
      }
    }
    for (std::size_t i = 0; i < baseline.stages.size(); ++i) {
      place(i);
    }
  }

  const std::vector<std::size_t>& stages() const { return stages_; }
  std::optional<std::int64_t> action_of(std::size_t stage) const { return actions_[stage]; }
  std::vector<std::size_t> producers_of(std::size_t stage) const { return known(baseline_.stages[stage].producers); }

 private:
  std::vector<std::size_t> known(const std::vector<std::string>& fingerprints) const {
    std::vector<std::size_t> stages;
    for (const auto& fingerprint : fingerprints) {
      if (const auto found = indices_.find(fingerprint); found != indices_.end()) {
        stages.push_back(found->second);
      }
    }
    return stages;
  }

  // Those that it rests on first. Not by recursion: a chain may be as long as there are stages.
  void place(std::size_t last) {
    std::vector<std::size_t> open{last};
    while (!open.empty()) {
      const auto stage = open.back();
      is_entered_[stage] = true;
      const auto producers = producers_of(stage);
      const auto missing = std::find_if(producers.begin(), producers.end(), [&](std::size_t producer) { return !is_entered_[producer]; });
      if (missing != producers.end()) {
        open.push_back(*missing);
        continue;
      }
      open.pop_back();
      if (!is_placed_[stage]) {
        is_placed_[stage] = true;
        stages_.push_back(stage);
      }
    }
  }

  const Baseline& baseline_;
  IndexOf indices_;
  std::vector<std::optional<std::int64_t>> actions_;
  std::vector<bool> is_entered_;
  std::vector<bool> is_placed_;
  std::vector<std::size_t> stages_;
};

std::array<std::int64_t, kAmounts.size()> amounts_of(const BaselineStage& stage) {
  std::array<std::int64_t, kAmounts.size()> amounts{};
  std::transform(kAmounts.begin(), kAmounts.end(), amounts.begin(), [&](Metric metric) {
    const auto& total = stage.totals[index_of(metric)];
    return total ? total->most : 0;
  });
  return amounts;
}

void keep(const StageTraits& traits, std::span<const StageTraits> all, BaselineStage& stage) {
  stage.purpose = traits.purpose;
  stage.work = traits.work;
  stage.producers.clear();
  for (const auto producer : traits.producers) {
    stage.producers.push_back(all[producer].key.fingerprint);
  }
  std::sort(stage.producers.begin(), stage.producers.end());
}

// An action's stages by their labels, whichever of its siblings ran first.
struct KeptAction {
  std::int64_t turn = 0;
  std::vector<std::pair<std::string, std::string>> stages;  // label, fingerprint
};

// In the order in which they ran; those that ran at the same time by the labels of their stages.
std::vector<std::vector<std::string>> kept_actions(std::span<const StageTraits> traits) {
  std::map<std::int64_t, KeptAction> by_number;
  std::vector<KeptAction> actions;
  for (const auto& one : traits) {
    // A stage without an action is one of its own.
    auto& action = one.action ? by_number[*one.action] : actions.emplace_back();
    action.turn = one.turn;
    action.stages.emplace_back(one.key.label, one.key.fingerprint);
  }
  for (auto& [number, action] : by_number) {
    actions.push_back(std::move(action));
  }
  for (auto& action : actions) {
    std::sort(action.stages.begin(), action.stages.end());
  }
  std::sort(actions.begin(), actions.end(),
            [](const KeptAction& a, const KeptAction& b) { return std::tie(a.turn, a.stages) < std::tie(b.turn, b.stages); });
  std::vector<std::vector<std::string>> kept;
  for (const auto& action : actions) {
    auto& fingerprints = kept.emplace_back();
    std::transform(action.stages.begin(), action.stages.end(), std::back_inserter(fingerprints),
                   [](const auto& stage) { return stage.second; });
  }
  return kept;
}

}  // namespace

std::vector<StageTraits> kept_traits(std::vector<StageTraits> traits) {
  for (auto& stage : traits) {
    cut_work(stage.work);
  }
  return traits;
}

BaselineTraits traits_of(const Baseline& baseline) {
  const Order order(baseline);
  std::map<std::size_t, std::size_t> place_of;
  for (const auto stage : order.stages()) {
    place_of.emplace(stage, place_of.size());
  }
  BaselineTraits result{.traits = {}, .stages = order.stages()};
  for (const auto index : order.stages()) {
    const auto& stage = baseline.stages[index];
    StageTraits traits{.key = stage.key,
                       .purpose = stage.purpose,
                       .work = stage.work,
                       .producers = {},
                       .action = order.action_of(index),
                       .amounts = amounts_of(stage)};
    for (const auto producer : order.producers_of(index)) {
      if (place_of.at(producer) < result.traits.size()) {
        traits.producers.push_back(place_of.at(producer));
      }
    }
    std::sort(traits.producers.begin(), traits.producers.end());
    result.traits.push_back(std::move(traits));
  }
  return result;
}

void keep_traits(std::span<const StageTraits> traits, Baseline& baseline) {
  std::map<std::string_view, BaselineStage*> by_fingerprint;
  for (auto& stage : baseline.stages) {
    by_fingerprint.emplace(stage.key.fingerprint, &stage);
  }
  for (const auto& one : traits) {
    const auto found = by_fingerprint.find(one.key.fingerprint);
    if (found != by_fingerprint.end()) {
      keep(one, traits, *found->second);
    }
  }
  baseline.actions = kept_actions(traits);
}

}  // namespace stagegate
