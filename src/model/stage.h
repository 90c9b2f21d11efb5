// A stage as it is judged: its attempts pooled by partition, with an identity that holds from one run to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/distribution.h"
#include "model/metric.h"
#include "model/plan_facts.h"
#include "model/seen.h"

namespace stagegate {

// What a stage is, in words and as a key; identity/ makes it.
struct StageKey {
  // For people, short and stable: no stage ids, sizes or line numbers. Unique inside an application: equals are told apart
  // by " (2)", " (3)", ...
  std::string label;
  // 16 hex digits over all that the identity rests on. Unique inside an application.
  std::string fingerprint;

  friend bool operator==(const StageKey&, const StageKey&) = default;
};

// How a stage came out in several runs of the same job.
struct StageRepeats {
  std::int64_t runs = 0;     // of the job
  std::int64_t present = 0;  // that have the stage
  Seen tasks;
  PerMetric<Seen> totals;  // of the metrics that a baseline keeps
  std::string reason;      // what in its plan gives other rows in each run, in words; "" where nothing shows
};

struct Stage {
  std::int32_t id = 0;  // this run's number: for people to find it in Spark's UI, never a key
  StageKey key;
  std::optional<std::string> group;
  std::optional<std::string> description;
  std::optional<std::int64_t> sql_execution;
  std::int64_t tasks = 0;   // partitions with a winner, over all attempts
  std::int64_t failed = 0;  // task ends, over all attempts
  std::int64_t killed = 0;
  std::int64_t attempts = 0;
  std::optional<std::int64_t> cores;
  PerMetric<std::int64_t> wasted;
  PerMetric<Distribution> metrics;  // over the winners; its sum is the total
  PlanFacts plan;                   // identity/ finds it
  // The stages that it reads from, by their place among all, each before its reader; identity/ finds them.
  std::vector<std::size_t> producers;
  // Where the job ran several times; the same for the stage in each of the runs.
  std::shared_ptr<const StageRepeats> repeats;
};

}  // namespace stagegate
