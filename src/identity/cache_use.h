// Which stage filled a cached RDD or table, and what the run got from it.
//
// A stage lists all RDDs below its own up to the next shuffle, those below a cache too, whether it computed them or found the cache filled.
// So each stage is walked from its own RDD downwards: the first one to come by a cached RDD fills it, whoever comes later reads it and
// needs nothing below. A cached RDD of which only some partitions were filled (show() of a table) counts as filled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/application.h"

namespace stagegate {

struct CachedRdd {
  const RddInfo* rdd = nullptr;
  std::size_t filled_by = 0;  // index of the stage
  // An action after the one that filled it reads it, or that one reads it twice. Reading it once as it is filled is no use: without the
  // cache the work would have been the same.
  bool is_used = false;
};

struct CacheUse {
  // Of each stage, by its index.
  std::vector<std::vector<const RddInfo*>> reads;     // cached RDDs that an earlier stage had filled
  std::vector<std::vector<const RddInfo*>> repeated;  // RDDs that an earlier stage had computed already, the last ones only
  std::vector<CachedRdd> filled;                      // in the order in which they were
};

// Whether stages say how their RDDs hang together. Spark's REST API does not.
bool knows_rdd_parents(std::span<const StageAttempt* const> last_attempts);

// LAST_ATTEMPTS[i] is the last attempt of stage i, or null; the stages are in the order of their ids, in which Spark hands them out. The
// result points into the attempts.
CacheUse cache_use_of(std::span<const StageAttempt* const> last_attempts);

}  // namespace stagegate
