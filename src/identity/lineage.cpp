#include "identity/lineage.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

namespace stagegate {
namespace {

// The stage that each RDD ends. Several jobs may end in the same RDD (a count, then a collect): the one that wrote a shuffle feeds others.
std::map<std::int64_t, std::size_t> stages_by_last_rdd(std::span<const StageAttempt* const> stages) {
  std::map<std::int64_t, std::size_t> found;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (stages[i] == nullptr || stages[i]->rdds.empty()) {
      continue;
    }
    const auto [entry, is_new] = found.try_emplace(stages[i]->rdds.front().id, i);
    if (!is_new && !wrote_shuffle(*stages[entry->second]) && wrote_shuffle(*stages[i])) {
      entry->second = i;
    }
  }
  return found;
}

std::set<std::int64_t> outer_parents(const StageAttempt& stage) {
  std::set<std::int64_t> own;
  std::set<std::int64_t> parents;
  for (const auto& rdd : stage.rdds) {
    own.insert(rdd.id);
    parents.insert(rdd.parents.begin(), rdd.parents.end());
  }
  std::erase_if(parents, [&](std::int64_t id) { return own.contains(id); });
  return parents;
}

}  // namespace

bool wrote_shuffle(const StageAttempt& stage) {
  return stage.totals[index_of(Metric::shuffle_write_bytes)].value_or(0) > 0 ||
         stage.totals[index_of(Metric::shuffle_write_records)].value_or(0) > 0;
}

Lineage lineage_of(std::span<const StageAttempt* const> last_attempts) {
  const auto by_rdd = stages_by_last_rdd(last_attempts);
  Lineage lineage;
  lineage.producers.resize(last_attempts.size());
  lineage.consumers.resize(last_attempts.size());
  for (std::size_t i = 0; i < last_attempts.size(); ++i) {
    if (last_attempts[i] == nullptr) {
      continue;
    }
    for (const auto parent : outer_parents(*last_attempts[i])) {
      if (const auto producer = by_rdd.find(parent); producer != by_rdd.end() && producer->second < i) {
        lineage.producers[i].push_back(producer->second);
        lineage.consumers[producer->second].push_back(i);
      }
    }
    std::sort(lineage.producers[i].begin(), lineage.producers[i].end());
  }
  return lineage;
}

}  // namespace stagegate
