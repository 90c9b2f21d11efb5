#include "identity/identify.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "base/work_together.h"
#include "identity/characters.h"
#include "identity/lineage.h"
#include "identity/plan_facts.h"
#include "identity/plan_index.h"
#include "identity/stable_hash.h"
#include "identity/stage_work.h"
#include "identity/turns.h"

namespace stagegate {
namespace {

// Part of every fingerprint: a change of how they are made is a change of this line, and known to be one.
constexpr std::string_view kGeneration = "stagegate identity 1\n";

using Hashes = std::vector<std::uint64_t>;
using Attempts = std::vector<const StageAttempt*>;

// The attempts of each stage, ascending. A stage that the application does not know stays without one.
std::vector<Attempts> attempts_of(const Application& application, std::span<const Stage> stages) {
  std::map<std::int32_t, std::size_t> index;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    index.emplace(stages[i].id, i);
  }
  std::vector<Attempts> attempts(stages.size());
  for (const auto& attempt : application.stages) {
    if (const auto found = index.find(attempt.id); found != index.end()) {
      attempts[found->second].push_back(&attempt);
    }
  }
  return attempts;
}

std::uint64_t combined(std::uint64_t own, Hashes neighbours) {
  std::sort(neighbours.begin(), neighbours.end());
  std::string text = to_hex(own);
  for (const auto neighbour : neighbours) {
    text += " " + to_hex(neighbour);
  }
  return stable_hash(text);
}

// Each stage with all that it rests on, by way of NEIGHBOURS that come before it in ORDER.
Hashes with_neighbours(const Hashes& own, const std::vector<std::vector<std::size_t>>& neighbours, std::span<const std::size_t> order) {
  Hashes result = own;
  for (const auto stage : order) {
    Hashes hashes;
    for (const auto neighbour : neighbours[stage]) {
      hashes.push_back(result[neighbour]);
    }
    result[stage] = combined(own[stage], std::move(hashes));
  }
  return result;
}

// Groups of stages whose keys are equal, of two and more.
std::vector<std::vector<std::size_t>> equals(const Hashes& keys) {
  std::map<std::uint64_t, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    groups[keys[i]].push_back(i);
  }
  std::vector<std::vector<std::size_t>> result;
  for (auto& [key, group] : groups) {
    if (group.size() > 1) {
      result.push_back(std::move(group));
    }
  }
  return result;
}

// Tells equal stages apart by BY, where that is not the same for all of them.
void refine(Hashes& keys, const Hashes& by) {
  for (const auto& group : equals(keys)) {
    const bool differ = std::any_of(group.begin(), group.end(), [&](std::size_t stage) { return by[stage] != by[group.front()]; });
    for (const auto stage : group) {
      keys[stage] = differ ? combined(keys[stage], {by[stage]}) : keys[stage];
    }
  }
}

// Sums of METRICS, negative so that the largest come first. Input and output bytes, which depend on Spark's version, are never asked.
template <std::size_t Count>
std::array<std::int64_t, Count> largest_first(const Stage& stage, const std::array<Metric, Count>& metrics) {
  std::array<std::int64_t, Count> sums{};
  std::transform(metrics.begin(), metrics.end(), sums.begin(), [&](Metric metric) {
    const auto& distribution = stage.metrics[index_of(metric)];
    return distribution ? -std::max(distribution->sum, -std::numeric_limits<std::int64_t>::max()) : 0;
  });
  return sums;
}

auto records_of(const Stage& stage) {
  return largest_first<4>(stage,
                          {Metric::input_records, Metric::shuffle_read_records, Metric::shuffle_write_records, Metric::output_records});
}

auto bytes_of(const Stage& stage) {
  return largest_first<2>(stage, {Metric::shuffle_read_bytes, Metric::shuffle_write_bytes});
}

auto rank_of(const Stage& stage) {
  return std::tuple(records_of(stage), bytes_of(stage), -stage.tasks, stage.sql_execution, stage.id);
}

// The place of each stage among its equals, from 0.
std::vector<std::size_t> ranks_among_equals(const Hashes& keys, std::span<const Stage> stages) {
  std::vector<std::size_t> ranks(stages.size(), 0);
  for (auto& group : equals(keys)) {
    std::sort(group.begin(), group.end(), [&](std::size_t a, std::size_t b) { return rank_of(stages[a]) < rank_of(stages[b]); });
    for (std::size_t rank = 0; rank < group.size(); ++rank) {
      ranks[group[rank]] = rank;
    }
  }
  return ranks;
}

// Hashes by which stages are told apart but for their rank.
Hashes keys_of(std::span<const StageWork> works, const Lineage& lineage) {
  Hashes own;
  std::vector<std::size_t> order;
  for (const auto& work : works) {
    order.push_back(own.size());
    own.push_back(stable_hash(std::string(kGeneration) + work.text));
  }
  auto keys = own;
  refine(keys, with_neighbours(own, lineage.producers, order));
  std::reverse(order.begin(), order.end());
  refine(keys, with_neighbours(own, lineage.consumers, order));
  return keys;
}

// Equal labels get " (2)", " (3)", in an order that does not rest on stage ids.
void number_equal_labels(std::span<const StageWork> works, const Hashes& keys, const std::vector<std::size_t>& ranks,
                         std::vector<Stage>& stages) {
  std::map<std::string, std::vector<std::size_t>> by_label;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    by_label[works[i].label].push_back(i);
  }
  for (auto& [label, group] : by_label) {
    const auto order_of = [&](std::size_t stage) {
      return std::tuple(std::string_view(works[stage].text), records_of(stages[stage]), keys[stage], ranks[stage]);
    };
    std::sort(group.begin(), group.end(), [&](std::size_t a, std::size_t b) { return order_of(a) < order_of(b); });
    for (std::size_t i = 0; i < group.size(); ++i) {
      stages[group[i]].key.label = i == 0 ? label : fmt::format("{} ({})", label, i + 1);
    }
  }
}

std::array<std::int64_t, kAmounts.size()> amounts_of(const Stage& stage) {
  auto amounts = largest_first(stage, kAmounts);
  std::transform(amounts.begin(), amounts.end(), amounts.begin(), std::negate());
  return amounts;
}

std::optional<std::int64_t> action_of(const Stage& stage, const StageAttempt* last) {
  if (stage.sql_execution) {
    return action_of_execution(*stage.sql_execution);
  }
  return last == nullptr || last->jobs.empty() ? std::nullopt : std::optional(action_of_job(last->jobs.front()));
}

std::vector<StageTraits> traits_of(std::span<const Stage> stages, std::span<const StageWork> works, const Lineage& lineage,
                                   const Attempts& last) {
  std::vector<StageTraits> traits;
  traits.reserve(stages.size());
  for (std::size_t i = 0; i < stages.size(); ++i) {
    auto lines = split(works[i].text, '\n');
    StageTraits one{.key = stages[i].key,
                    .purpose = std::move(lines.front()),
                    .work = {},
                    .producers = lineage.producers[i],
                    .action = action_of(stages[i], last[i]),
                    .amounts = amounts_of(stages[i])};
    one.work.assign(std::make_move_iterator(lines.begin() + 1), std::make_move_iterator(lines.end()));
    traits.push_back(std::move(one));
  }
  return traits;
}

// A label without the author's words in front and without its number: "write report: sort by day (2)" -> "sort by day".
std::string_view work_in(std::string_view label) {
  const auto colon = label.rfind(": ");
  label = label.substr(colon == std::string_view::npos ? 0 : colon + 2);
  const auto number = label.rfind(" (");
  const bool has_number = number != std::string_view::npos && label.ends_with(')') &&
                          run_length(label.substr(number + 2), is_digit) + number + 3 == label.size();
  return has_number ? label.substr(0, number) : label;
}

using Matches = std::vector<std::optional<std::size_t>>;

// The stages that have no partner yet, by what KEY_OF says of them.
template <typename KeyOf>
std::multimap<std::string_view, std::size_t> open_stages(std::span<const StageKey> stages, const std::vector<bool>& taken, KeyOf key_of) {
  std::multimap<std::string_view, std::size_t> open;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (!taken[i]) {
      open.emplace(key_of(stages[i]), i);
    }
  }
  return open;
}

enum class Several : std::uint8_t { pair_in_order, are_ambiguous };

template <typename KeyOf>
void match_by(KeyOf key_of, Several several, std::span<const StageKey> before, std::span<const StageKey> after, Matches& matches) {
  std::vector<bool> taken_before(before.size(), false);
  std::vector<bool> taken_after(after.size(), false);
  for (std::size_t i = 0; i < after.size(); ++i) {
    taken_after[i] = matches[i].has_value();
    if (matches[i]) {
      taken_before[*matches[i]] = true;
    }
  }
  auto open = open_stages(before, taken_before, key_of);
  const auto wanted = open_stages(after, taken_after, key_of);
  for (const auto& [key, stage] : wanted) {
    const auto found = open.find(key);
    if (found == open.end() || (several == Several::are_ambiguous && (open.count(key) > 1 || wanted.count(key) > 1))) {
      continue;
    }
    matches[stage] = found->second;
    open.erase(found);
  }
}

}  // namespace

std::vector<StageTraits> identify(const Application& application, std::vector<Stage>& stages, int threads) {
  const PlanIndex plans(application, threads);
  const auto attempts = attempts_of(application, stages);
  std::vector<StageWork> works(stages.size(), StageWork{.text = {}, .label = "stage"});
  std::vector<PlanPart> parts(stages.size());
  Attempts last(stages.size(), nullptr);
  work_together(stages.size(), threads, [&](std::size_t i) {
    if (!attempts[i].empty()) {
      parts[i] = part_of(plans, attempts[i]);
      works[i] = work_of(application, parts[i], attempts[i]);
      last[i] = attempts[i].back();
    }
  });
  const auto lineage = lineage_of(last);
  const auto keys = keys_of(works, lineage);
  const auto ranks = ranks_among_equals(keys, stages);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    stages[i].key.fingerprint = to_hex(ranks[i] == 0 ? keys[i] : combined(keys[i], {ranks[i]}));
  }
  number_equal_labels(works, keys, ranks, stages);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    stages[i].producers = lineage.producers[i];
  }
  find_plan_facts(application, plans, attempts, parts, stages);
  auto traits = traits_of(stages, works, lineage, last);
  const auto turns = turns_of(application, traits);
  for (std::size_t i = 0; i < traits.size(); ++i) {
    traits[i].turn = turns[i];
  }
  return traits;
}

std::vector<std::optional<std::size_t>> match_stages(std::span<const StageKey> before, std::span<const StageKey> after) {
  Matches matches(after.size());
  match_by([](const StageKey& key) { return std::string_view(key.fingerprint); }, Several::pair_in_order, before, after, matches);
  match_by([](const StageKey& key) { return std::string_view(key.label); }, Several::pair_in_order, before, after, matches);
  match_by([](const StageKey& key) { return work_in(key.label); }, Several::are_ambiguous, before, after, matches);
  return matches;
}

}  // namespace stagegate
