// What plans and caches say of a stage and of a run, as counts that rules judge and texts that their messages quote.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stagegate {

enum class PlanCount : std::uint8_t {
  broadcast_joins,  // hash and nested-loop joins with a side that was broadcast, in the plan that ran in the end
  shuffled_joins,   // sort-merge and hash joins of two sides that were shuffled
  cache_reads,      // cached RDDs and tables that the stage read and another had filled
  repeated_reads,   // tables and files that an earlier stage of the run read as well; outside of SQL: RDDs that one computed already
  unused_caches,    // cached RDDs and tables that the stage filled, from which the run got nothing
};

struct PlanCountInfo {
  PlanCount count;
  std::string_view name;
  bool kept;  // in a baseline
};

inline constexpr std::array kPlanCounts{
    PlanCountInfo{PlanCount::broadcast_joins, "broadcast_joins", true}, PlanCountInfo{PlanCount::shuffled_joins, "shuffled_joins", true},
    PlanCountInfo{PlanCount::cache_reads, "cache_reads", true},         PlanCountInfo{PlanCount::repeated_reads, "repeated_reads", true},
    PlanCountInfo{PlanCount::unused_caches, "unused_caches", false},
};

constexpr std::size_t index_of(PlanCount count) {
  return static_cast<std::size_t>(count);
}

// Absent where the source does not say: Spark's REST API has neither a plan's accumulators nor the parents of RDDs.
using PlanCounts = std::array<std::optional<std::int64_t>, kPlanCounts.size()>;

struct PlanFacts {
  PlanCounts counts;
  // The things counted, for messages; "" where there are none.
  std::string joins;          // the shuffled ones: "join orders, customers on customer_id"
  std::string repeated;       // "orders, customers"
  std::string unused_caches;  // "table big; rows of orders"

  friend bool operator==(const PlanFacts&, const PlanFacts&) = default;
};

// A job group that was probably left set: all that came after its section ran under it.
struct LeftGroup {
  std::string group;
  std::int64_t actions = 0;
  std::string first_action;  // "parquet at job.py"
  std::string last_action;

  friend bool operator==(const LeftGroup&, const LeftGroup&) = default;
};

struct RunFacts {
  bool ended = false;  // the application ended, and its evidence is whole; if not, what comes later is not known
  std::optional<LeftGroup> left_group;

  friend bool operator==(const RunFacts&, const RunFacts&) = default;
};

}  // namespace stagegate
