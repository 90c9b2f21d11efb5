#include "identity/plan_index.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/sort_each_once.h"
#include "base/work_together.h"
#include "identity/operators.h"

namespace stagegate {
namespace {

using Nodes = std::set<std::size_t>;

NodeKind kind_of(const PlanNode& node) {
  const auto name = operator_name(node.name);
  return {.exchange = is_shuffle(name) || is_broadcast(name),
          .reuse = name == "ReusedExchange" || name == "ReusedSubquery",
          .subquery = name.starts_with("Subquery"),
          .cached_table = name == "InMemoryTableScan"};
}

// There are many nodes and few names.
class NodeKinds {
 public:
  NodeKind of(const PlanNode& node) {
    const auto known = kinds_.find(node.name);
    return known != kinds_.end() ? known->second : kinds_.emplace(node.name, kind_of(node)).first->second;
  }

 private:
  std::unordered_map<std::string_view, NodeKind> kinds_;  // by the nodes' own names, which outlive it
};

// Whether a part of its own begins at NODE, below PARENT.
bool begins_part(NodeKind parent, NodeKind node) {
  return node.exchange || node.reuse || node.subquery || parent.cached_table;
}

// Operators that shuffle without an exchange node: what is above them runs in a later stage than what is below.
bool shuffles_inside(const PlanNode& node) {
  const auto name = operator_name(node.name);
  return name == "TakeOrderedAndProject" || name == "TopN" || name == "CollectLimit" || name == "CollectTail";
}

// A child stands behind its parent in the flattened plan; one that does not is left out, so that no input makes us walk in circles.
PlanTree tree_of(const Plan& plan, std::int64_t execution, bool earlier, NodeKinds& kinds) {
  PlanTree tree{.plan = &plan, .kind = {}, .execution = execution, .earlier = earlier, .parent = {}, .head = {}, .reused = {}};
  tree.reused.resize(plan.size());
  tree.kind.reserve(plan.size());
  tree.parent.reserve(plan.size());
  tree.head.reserve(plan.size());
  std::transform(plan.begin(), plan.end(), std::back_inserter(tree.kind), [&](const PlanNode& node) { return kinds.of(node); });
  for (std::size_t node = 0; node < plan.size(); ++node) {
    tree.parent.push_back(node);
    tree.head.push_back(node);
  }
  for (std::size_t node = 0; node < plan.size(); ++node) {
    for (const auto child : plan[node].children) {
      if (child > node && child < plan.size()) {
        tree.parent[child] = node;
        tree.head[child] = begins_part(tree.kind[node], tree.kind[child]) ? child : tree.head[node];
        tree.reused[child] = tree.reused[node] || tree.kind[node].reuse;
      }
    }
  }
  return tree;
}

// The heads of the parts that ran. A stage that did nothing but pass a shuffle on updated exchanges alone: the topmost is the one
// it wrote, or else it ran the part above the one it read.
Nodes parts_that_ran(const PlanTree& tree, const std::vector<std::size_t>& updated, bool wrote) {
  Nodes heads;
  for (const auto node : updated) {
    if (!tree.kind[node].exchange) {
      heads.insert(tree.head[node]);
    }
  }
  if (heads.empty() && !updated.empty()) {
    const auto exchange = updated.front();
    heads.insert(wrote ? exchange : tree.head[tree.parent[exchange]]);
  }
  return heads;
}

bool has_only_wrappers_above(const PlanTree& tree, std::size_t node) {
  for (; tree.parent[node] != node; node = tree.parent[node]) {
    if (!is_wrapper(operator_name((*tree.plan)[tree.parent[node]].name))) {
      return false;
    }
  }
  return true;
}

// The nodes of the parts that ran which were updated, and those above them.
Nodes nodes_that_ran(const PlanTree& tree, const Nodes& heads, const std::vector<std::size_t>& updated) {
  const auto& plan = *tree.plan;
  Nodes ran;
  for (const auto node : updated) {
    const bool is_read = tree.kind[node].exchange && !heads.contains(node);
    auto at = is_read ? tree.parent[node] : node;
    while (heads.contains(tree.head[at]) && ran.insert(at).second && at != tree.head[at]) {
      at = tree.parent[at];
      const bool is_later = shuffles_inside(plan[at]) && !std::binary_search(updated.begin(), updated.end(), at);
      if (is_later && !has_only_wrappers_above(tree, at)) {
        break;
      }
    }
  }
  return ran;
}

// All nodes of the part below HEAD, children before parents, the first child first.
std::vector<std::size_t> in_order_of_flow(const PlanTree& tree, std::size_t head) {
  std::vector<std::size_t> order;
  std::vector<std::size_t> open{head};
  while (!open.empty()) {
    const auto node = open.back();
    open.pop_back();
    order.push_back(node);
    for (const auto child : (*tree.plan)[node].children) {
      if (child < tree.plan->size() && tree.parent[child] == node && child != node && tree.head[child] == head) {
        open.push_back(child);
      }
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

void set_sink(PlanPart& part, const PlanTree& tree, std::size_t head, bool sampled) {
  const auto& node = (*tree.plan)[head];
  const auto name = operator_name(node.name);
  if (is_shuffle(name)) {
    part.sink = sampled ? Sink::sample : Sink::shuffle;
    part.exchange = NodeRef{.plan = tree.plan, .index = head};
  } else if (is_broadcast(name)) {
    part.sink = Sink::broadcast;
  } else if (tree.kind[head].subquery) {
    part.sink = Sink::subquery;
  } else if (tree.parent[head] != head && tree.kind[tree.parent[head]].cached_table) {
    part.sink = Sink::cache;
  }
}

// Nodes of superseded plans have lost their children. Of the exchanges among them the topmost is the one that was written.
void set_topmost_exchange(PlanPart& part, const PlanTree& tree, const std::vector<std::size_t>& updated) {
  const auto exchange = std::find_if(updated.begin(), updated.end(), [&](std::size_t node) { return tree.kind[node].exchange; });
  if (exchange != updated.end()) {
    set_sink(part, tree, *exchange, false);
  }
}

PlanPart part_of(const PlanTree& tree, const std::vector<std::size_t>& updated, bool wrote) {
  const auto& plan = *tree.plan;
  const auto heads = parts_that_ran(tree, updated, wrote);
  const auto ran = nodes_that_ran(tree, heads, updated);
  PlanPart part;
  for (auto head = heads.rbegin(); head != heads.rend(); ++head) {  // the lower parts, which are cached tables, come first
    for (const auto node : in_order_of_flow(tree, *head)) {
      const bool speaks = !tree.kind[node].exchange && !plan[node].accumulators.empty() && !is_wrapper(operator_name(plan[node].name));
      if (speaks && ran.contains(node)) {
        part.nodes.push_back({.plan = &plan, .index = node});
      }
    }
    part.fills_cache = part.fills_cache || (tree.parent[*head] != *head && tree.kind[tree.parent[*head]].cached_table);
  }
  if (tree.earlier && wrote) {
    set_topmost_exchange(part, tree, updated);
  } else if (!heads.empty()) {
    const auto top = *heads.begin();
    const bool is_range = plan[top].simple_string.find("rangepartitioning(") != std::string::npos;
    set_sink(part, tree, top, is_range && !wrote && !std::binary_search(updated.begin(), updated.end(), top));
  }
  return part;
}

bool has_accumulators(const SqlExecution& execution) {
  return !execution.plan.accumulators().empty() || !execution.earlier_nodes.accumulators().empty();
}

}  // namespace

// The accumulators that the stages of an application updated.
class PlanIndex::UpdatedAccumulators {
 public:
  explicit UpdatedAccumulators(const Application& application) {
    for (const auto& stage : application.stages) {
      ids_.insert(ids_.end(), stage.accumulators.begin(), stage.accumulators.end());
    }
    sort_each_once(ids_);
    // Spark counts them from 0, so that nearly always a bit for each id will do.
    constexpr std::size_t kMostBitsAnId = 1024;
    if (!ids_.empty() && ids_.front() >= 0 && static_cast<std::size_t>(ids_.back()) / kMostBitsAnId <= ids_.size()) {
      is_updated_.resize(static_cast<std::size_t>(ids_.back()) + 1);
      for (const auto id : ids_) {
        is_updated_[static_cast<std::size_t>(id)] = true;
      }
    }
  }

  bool contain(std::int64_t id) const {
    if (is_updated_.empty()) {
      return std::binary_search(ids_.begin(), ids_.end(), id);
    }
    // A negative one is a very large one here.
    const auto bit = static_cast<std::uint64_t>(id);
    return bit < is_updated_.size() && is_updated_[bit];
  }

 private:
  std::vector<std::int64_t> ids_;
  std::vector<bool> is_updated_;  // by id
};

PlanIndex::PlanIndex(const Application& application, int threads) : trees_(2 * application.executions.size()) {
  const auto& executions = application.executions;
  const UpdatedAccumulators updated(application);
  std::vector<std::vector<Place>> places(executions.size());
  work_together(executions.size(), threads, [&](std::size_t i) {
    NodeKinds kinds;
    for (const bool earlier : {false, true}) {
      const auto& plan = earlier ? executions[i].earlier_nodes : executions[i].plan;
      const auto tree = 2 * i + (earlier ? 1 : 0);
      trees_[tree] = tree_of(plan, executions[i].id, earlier, kinds);
      add_places(plan, static_cast<std::uint32_t>(tree), updated, places[i]);
    }
    std::sort(places[i].begin(), places[i].end());
  });
  for (const auto& of_one : places) {
    places_.insert(places_.end(), of_one.begin(), of_one.end());
  }
  // Accumulators count on from one execution to the next, and come again only where one reads what another has cached.
  if (!std::is_sorted(places_.begin(), places_.end())) {
    std::sort(places_.begin(), places_.end());
  }
  is_blind_ = !executions.empty() && std::none_of(executions.begin(), executions.end(), has_accumulators);
}

void PlanIndex::add_places(const Plan& plan, std::uint32_t tree, const UpdatedAccumulators& updated, std::vector<Place>& places) {
  for (std::uint32_t node = 0; node < plan.size(); ++node) {
    for (const auto accumulator : plan[node].accumulators) {
      if (updated.contain(accumulator)) {
        places.push_back({.accumulator = accumulator, .tree = tree, .node = node});
      }
    }
  }
}

std::span<const PlanIndex::Place> PlanIndex::places_of(std::int64_t accumulator) const {
  const auto begin = std::lower_bound(places_.begin(), places_.end(), accumulator,
                                      [](const Place& place, std::int64_t wanted) { return place.accumulator < wanted; });
  const auto end = std::upper_bound(begin, places_.end(), accumulator,
                                    [](std::int64_t wanted, const Place& place) { return wanted < place.accumulator; });
  return {begin, end};
}

// The plan that the accumulators belong to: of the stage's own execution before another's, the final one before superseded ones. A
// cached table's nodes appear in the plan of each execution that reads it.
std::optional<std::size_t> PlanIndex::tree_for(std::span<const std::int64_t> accumulators, std::optional<std::int64_t> execution) const {
  const auto rank = [&](std::size_t tree) {
    return std::tuple(trees_[tree].execution != execution.value_or(-1), trees_[tree].earlier, tree);
  };
  std::optional<std::size_t> best;
  for (const auto accumulator : accumulators) {
    for (const auto& place : places_of(accumulator)) {
      if (!best || rank(place.tree) < rank(*best)) {
        best = place.tree;
      }
    }
  }
  return best;
}

std::vector<std::size_t> PlanIndex::updated_nodes(std::span<const std::int64_t> accumulators, std::size_t tree) const {
  std::vector<std::size_t> nodes;
  for (const auto accumulator : accumulators) {
    std::optional<std::size_t> found;
    for (const auto& place : places_of(accumulator)) {
      if (place.tree == tree && (!found || (trees_[tree].reused[*found] && !trees_[tree].reused[place.node]))) {
        found = place.node;
      }
    }
    if (found) {
      nodes.push_back(*found);
    }
  }
  sort_each_once(nodes);
  return nodes;
}

bool PlanIndex::is_in_another(std::span<const std::int64_t> accumulators, std::optional<std::int64_t> execution) const {
  return std::any_of(accumulators.begin(), accumulators.end(), [&](std::int64_t accumulator) {
    const auto places = places_of(accumulator);
    return std::any_of(places.begin(), places.end(), [&](const Place& place) { return trees_[place.tree].execution != execution; });
  });
}

PlanPart PlanIndex::part_of(std::span<const std::int64_t> accumulators, std::optional<std::int64_t> execution, bool wrote) const {
  const auto tree = tree_for(accumulators, execution);
  return tree ? stagegate::part_of(trees_[*tree], updated_nodes(accumulators, *tree), wrote) : PlanPart{};
}

}  // namespace stagegate
