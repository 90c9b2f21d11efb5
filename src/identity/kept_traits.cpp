#include "identity/kept_traits.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
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

// The number of the action that each stage belongs to, and the stages in the order of the actions; those that the file does not name
// follow.
struct Order {
  std::vector<std::size_t> stages;
  std::vector<std::optional<std::int64_t>> action_of;  // by the index into Baseline::stages
};

Order order_of(const Baseline& baseline, const IndexOf& indices) {
  Order order{.stages = {}, .action_of = std::vector<std::optional<std::int64_t>>(baseline.stages.size())};
  std::vector<bool> is_placed(baseline.stages.size(), false);
  const auto place = [&](std::size_t stage) {
    if (!is_placed[stage]) {
      is_placed[stage] = true;
      order.stages.push_back(stage);
    }
  };
  for (std::size_t action = 0; action < baseline.actions.size(); ++action) {
    for (const auto& fingerprint : baseline.actions[action]) {
      if (const auto found = indices.find(fingerprint); found != indices.end() && !is_placed[found->second]) {
        order.action_of[found->second] = static_cast<std::int64_t>(action);
        place(found->second);
      }
    }
  }
  for (std::size_t i = 0; i < baseline.stages.size(); ++i) {
    place(i);
  }
  return order;
}

std::array<std::int64_t, 6> amounts_of(const BaselineStage& stage) {
  constexpr std::array kAmounts{Metric::input_records,  Metric::shuffle_read_records, Metric::shuffle_write_records,
                                Metric::output_records, Metric::shuffle_read_bytes,   Metric::shuffle_write_bytes};
  std::array<std::int64_t, 6> amounts{};
  std::transform(kAmounts.begin(), kAmounts.end(), amounts.begin(), [&](Metric metric) {
    const auto& total = stage.totals[index_of(metric)];
    return total ? total->most : 0;
  });
  return amounts;
}

}  // namespace

std::vector<StageTraits> kept_traits(std::vector<StageTraits> traits) {
  for (auto& stage : traits) {
    cut_work(stage.work);
  }
  return traits;
}

BaselineTraits traits_of(const Baseline& baseline) {
  const auto indices = indices_of(baseline);
  auto order = order_of(baseline, indices);
  std::map<std::size_t, std::size_t> place_of;  // in the order, by the index into Baseline::stages
  for (const auto stage : order.stages) {
    place_of.emplace(stage, place_of.size());
  }
  BaselineTraits result{.traits = {}, .stages = order.stages};
  for (const auto index : order.stages) {
    const auto& stage = baseline.stages[index];
    StageTraits traits{.key = stage.key,
                       .purpose = stage.purpose,
                       .work = stage.work,
                       .producers = {},
                       .action = order.action_of[index],
                       .amounts = amounts_of(stage)};
    for (const auto& producer : stage.producers) {
      // A file that was merged by hand may say that a stage reads from a later one, or from none.
      if (const auto found = indices.find(producer); found != indices.end() && place_of.at(found->second) < result.traits.size()) {
        traits.producers.push_back(place_of.at(found->second));
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
  std::map<std::int64_t, std::size_t> place_of_action;
  baseline.actions.clear();
  for (std::size_t i = 0; i < traits.size(); ++i) {
    const auto& one = traits[i];
    const auto found = by_fingerprint.find(one.key.fingerprint);
    if (found == by_fingerprint.end()) {
      continue;
    }
    found->second->purpose = one.purpose;
    found->second->work = one.work;
    for (const auto producer : one.producers) {
      found->second->producers.push_back(traits[producer].key.fingerprint);
    }
    std::sort(found->second->producers.begin(), found->second->producers.end());
    // A stage without an action is one of its own.
    const auto action =
        one.action ? place_of_action.try_emplace(*one.action, baseline.actions.size()).first->second : baseline.actions.size();
    baseline.actions.resize(std::max(baseline.actions.size(), action + 1));
    baseline.actions[action].push_back(one.key.fingerprint);
  }
}

}  // namespace stagegate
