// Which nodes of which plan a stage ran.
//
// The way from a stage to its plan: the accumulators that its tasks updated are those of the nodes' metrics. A node that counted nothing
// (a filter that let no row through) updated none, so what counts is the part of the plan between two exchanges that the updated nodes lie
// in: from the nodes that were updated up to the exchange, subquery or result that the part feeds.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/application.h"

namespace stagegate {

struct NodeRef {
  const Plan* plan = nullptr;
  std::size_t index = 0;

  const PlanNode& node() const { return (*plan)[index]; }
};

// Where the rows of a part go.
enum class Sink : std::uint8_t {
  result,     // to the driver or to where a command writes
  shuffle,    // through the exchange
  sample,     // nowhere: a sort's exchange looks at a sample to find its ranges
  broadcast,  // to the driver and from there to all executors
  subquery,
  cache,
};

struct PlanPart {
  std::vector<NodeRef> nodes;  // as rows flow, sources first; without wrappers and nodes that have no metrics
  Sink sink = Sink::result;
  std::optional<NodeRef> exchange;  // of Sink::shuffle and Sink::sample
  bool fills_cache = false;         // the part below a cached table ran in this stage
};

// What decides where a node's part begins.
struct NodeKind {
  bool exchange = false;
  bool reuse = false;
  bool subquery = false;
  bool cached_table = false;
};

// A plan with what its flattened form leaves out.
struct PlanTree {
  const Plan* plan = nullptr;
  std::vector<NodeKind> kind;  // of each node
  std::int64_t execution = 0;
  bool earlier = false;             // the nodes of superseded plans
  std::vector<std::size_t> parent;  // of a root: itself
  std::vector<std::size_t> head;    // the topmost node of the part that the node lies in
  std::vector<bool> reused;         // a copy below a reused exchange or subquery
};

class PlanIndex {
 public:
  // The application must outlive the index and what it returns. It knows the accumulators that a stage of the application updated: a plan
  // has many more.
  explicit PlanIndex(const Application& application, int threads = 1);

  // ACCUMULATORS: of all attempts of a stage. WROTE: it wrote to a shuffle. No nodes and no exchange: the plans say nothing of the stage.
  PlanPart part_of(std::span<const std::int64_t> accumulators, std::optional<std::int64_t> execution, bool wrote) const;

  // Whether the plan of another execution than EXECUTION has one of ACCUMULATORS: it reads a cached table that they are below of.
  bool is_in_another(std::span<const std::int64_t> accumulators, std::optional<std::int64_t> execution) const;

  // Whether there are plans, and none of them has accumulators: the source does not have them.
  bool is_blind() const { return is_blind_; }

 private:
  struct Place {
    std::int64_t accumulator = 0;
    std::uint32_t tree = 0;
    std::uint32_t node = 0;

    friend auto operator<=>(const Place&, const Place&) = default;
  };

  class UpdatedAccumulators;

  static void add_places(const Plan& plan, std::uint32_t tree, const UpdatedAccumulators& updated, std::vector<Place>& places);
  std::span<const Place> places_of(std::int64_t accumulator) const;
  std::optional<std::size_t> tree_for(std::span<const std::int64_t> accumulators, std::optional<std::int64_t> execution) const;
  std::vector<std::size_t> updated_nodes(std::span<const std::int64_t> accumulators, std::size_t tree) const;

  std::vector<PlanTree> trees_;
  std::vector<Place> places_;  // by accumulator
  bool is_blind_ = false;
};

}  // namespace stagegate
