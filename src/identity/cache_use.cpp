#include "identity/cache_use.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "identity/lineage.h"

namespace stagegate {
namespace {

// A SQL execution, or a job outside of any. Nested executions are actions of their own: a function that a streaming query calls for each
// batch runs several in one.
using Action = std::pair<bool, std::int64_t>;

Action action_of(const StageAttempt& stage) {
  if (stage.sql_execution) {
    return {true, *stage.sql_execution};
  }
  return {false, stage.jobs.empty() ? -1 : stage.jobs.front()};
}

class CacheWalk {
 public:
  explicit CacheWalk(std::size_t stages) {
    use_.reads.resize(stages);
    use_.repeated.resize(stages);
  }

  // The stages in their order.
  void add(std::size_t index, const StageAttempt& stage) {
    index_ = index;
    stage_ = &stage;
    own_.clear();
    for (const auto& rdd : stage.rdds) {
      own_.emplace(rdd.id, &rdd);
    }
    visited_.clear();
    // A job of adaptive execution that only fills a cache gets nothing from it.
    reach({&stage.rdds.front(), false}, stage.sql_execution && !wrote_shuffle(stage) ? Gain::nothing : Gain::rows);
    while (!open_.empty()) {
      const auto [rdd, is_repeated] = open_.back();
      open_.pop_back();
      for (const auto parent : rdd->parents) {
        if (const auto found = own_.find(parent); found != own_.end()) {
          reach({found->second, is_repeated}, Gain::rows);
        }
      }
    }
    computed_.insert(visited_.begin(), visited_.end());
  }

  CacheUse finish() && {
    for (const auto& [id, place] : places_) {
      auto& cached = use_.filled[place.cached];
      cached.is_used = cached.is_used || place.gains > 1;
    }
    return std::move(use_);
  }

 private:
  enum class Gain : std::uint8_t { nothing, rows };

  struct Place {
    std::size_t cached = 0;  // index into use_.filled
    Action filled_in;
    int gains = 0;  // how often the action that filled it got rows from it
  };

  // What the stage or one of its RDDs needs, and whether the one that needs it is repeated itself.
  struct Needed {
    const RddInfo* rdd = nullptr;
    bool by_repeated = false;
  };

  void reach(Needed needed, Gain gain) {
    const auto& rdd = *needed.rdd;
    if (rdd.persisted && !reach_cached(rdd, gain)) {
      return;
    }
    const bool is_repeated = computed_.contains(rdd.id);
    if (is_repeated && !needed.by_repeated) {
      add_once(use_.repeated[index_], rdd);
    }
    if (visited_.insert(rdd.id).second) {
      open_.push_back({&rdd, is_repeated});
    }
  }

  // Whether the stage has to compute it.
  bool reach_cached(const RddInfo& rdd, Gain gain) {
    const auto [entry, is_new] = places_.try_emplace(rdd.id, Place{use_.filled.size(), action_of(*stage_), 0});
    if (is_new) {
      use_.filled.push_back({.rdd = &rdd, .filled_by = index_});
    }
    auto& place = entry->second;
    auto& cached = use_.filled[place.cached];
    if (gain == Gain::rows) {
      place.gains += place.filled_in == action_of(*stage_) ? 1 : 0;
      cached.is_used = cached.is_used || place.filled_in != action_of(*stage_);
    }
    if (cached.filled_by == index_) {
      return true;
    }
    if (gain == Gain::rows) {
      add_once(use_.reads[index_], rdd);
    }
    return false;
  }

  static void add_once(std::vector<const RddInfo*>& rdds, const RddInfo& rdd) {
    if (std::none_of(rdds.begin(), rdds.end(), [&](const RddInfo* one) { return one->id == rdd.id; })) {
      rdds.push_back(&rdd);
    }
  }

  CacheUse use_;
  std::map<std::int64_t, Place> places_;  // by RDD
  std::set<std::int64_t> computed_;       // RDDs of earlier stages
  // Of the stage that is walked.
  std::size_t index_ = 0;
  const StageAttempt* stage_ = nullptr;
  std::map<std::int64_t, const RddInfo*> own_;
  std::set<std::int64_t> visited_;
  std::vector<Needed> open_;
};

}  // namespace

bool knows_rdd_parents(std::span<const StageAttempt* const> last_attempts) {
  const auto has_several = [](const StageAttempt* stage) { return stage != nullptr && stage->rdds.size() > 1; };
  const auto has_parents = [](const StageAttempt* stage) {
    return stage != nullptr && std::any_of(stage->rdds.begin(), stage->rdds.end(), [](const RddInfo& rdd) { return !rdd.parents.empty(); });
  };
  return std::none_of(last_attempts.begin(), last_attempts.end(), has_several) ||
         std::any_of(last_attempts.begin(), last_attempts.end(), has_parents);
}

CacheUse cache_use_of(std::span<const StageAttempt* const> last_attempts) {
  CacheWalk walk(last_attempts.size());
  for (std::size_t i = 0; i < last_attempts.size(); ++i) {
    if (last_attempts[i] != nullptr && !last_attempts[i]->rdds.empty()) {
      walk.add(i, *last_attempts[i]);
    }
  }
  return std::move(walk).finish();
}

}  // namespace stagegate
