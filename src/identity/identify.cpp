#include "identity/identify.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "identity/lineage.h"
#include "identity/plan_index.h"
#include "identity/stable_hash.h"
#include "identity/stage_work.h"

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
    return distribution ? -distribution->sum : 0;
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

void rank_equals(Hashes& keys, std::span<const Stage> stages) {
  for (auto& group : equals(keys)) {
    std::sort(group.begin(), group.end(), [&](std::size_t a, std::size_t b) { return rank_of(stages[a]) < rank_of(stages[b]); });
    for (std::size_t rank = 1; rank < group.size(); ++rank) {
      keys[group[rank]] = combined(keys[group[rank]], {rank});
    }
  }
}

Hashes fingerprints(std::span<const StageWork> works, const Lineage& lineage, std::span<const Stage> stages) {
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
  rank_equals(keys, stages);
  return keys;
}

// Equal labels get " (2)", " (3)", in an order that does not rest on stage ids.
void number_equal_labels(std::span<const StageWork> works, std::vector<Stage>& stages) {
  std::map<std::string, std::vector<std::size_t>> by_label;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    by_label[works[i].label].push_back(i);
  }
  for (auto& [label, group] : by_label) {
    const auto order_of = [&](std::size_t stage) {
      return std::tuple(std::string_view(works[stage].text), records_of(stages[stage]), std::string_view(stages[stage].key.fingerprint));
    };
    std::sort(group.begin(), group.end(), [&](std::size_t a, std::size_t b) { return order_of(a) < order_of(b); });
    for (std::size_t i = 0; i < group.size(); ++i) {
      stages[group[i]].key.label = i == 0 ? label : fmt::format("{} ({})", label, i + 1);
    }
  }
}

// Pairs what is the same on both sides by MEMBER of the key, among those that have no partner yet. Of several equals the first ones pair.
void match_by(std::string StageKey::*member, std::span<const StageKey> before, std::span<const StageKey> after, std::vector<bool>& taken,
              std::vector<std::optional<std::size_t>>& matches) {
  std::multimap<std::string_view, std::size_t> open;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!taken[i] && !(before[i].*member).empty()) {
      open.emplace(before[i].*member, i);
    }
  }
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto found = matches[i] ? open.end() : open.lower_bound(after[i].*member);
    if (found != open.end() && found->first == after[i].*member) {
      matches[i] = found->second;
      taken[found->second] = true;
      open.erase(found);
    }
  }
}

}  // namespace

void identify(const Application& application, std::vector<Stage>& stages) {
  const PlanIndex plans(application);
  const auto attempts = attempts_of(application, stages);
  std::vector<StageWork> works;
  Attempts last;
  for (const auto& of_stage : attempts) {
    works.push_back(of_stage.empty() ? StageWork{.text = {}, .label = "stage"} : work_of(application, plans, of_stage));
    last.push_back(of_stage.empty() ? nullptr : of_stage.back());
  }
  const auto keys = fingerprints(works, lineage_of(last), stages);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    stages[i].key.fingerprint = to_hex(keys[i]);
  }
  number_equal_labels(works, stages);
}

std::vector<std::optional<std::size_t>> match_stages(std::span<const StageKey> before, std::span<const StageKey> after) {
  std::vector<std::optional<std::size_t>> matches(after.size());
  std::vector<bool> taken(before.size(), false);
  match_by(&StageKey::fingerprint, before, after, taken, matches);
  match_by(&StageKey::label, before, after, taken, matches);
  return matches;
}

}  // namespace stagegate
