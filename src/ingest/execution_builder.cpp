#include "ingest/execution_builder.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include "base/sort_each_once.h"

namespace stagegate {
namespace {

// Accumulators, sorted.
using Ids = std::vector<std::int64_t>;

bool contains(const Ids& ids, std::int64_t id) {
  return std::binary_search(ids.begin(), ids.end(), id);
}

bool all_in(std::span<const std::int64_t> accumulators, const Ids& known) {
  return std::all_of(accumulators.begin(), accumulators.end(), [&](std::int64_t id) { return contains(known, id); });
}

bool any_in(std::span<const std::int64_t> accumulators, const Ids& known) {
  return std::any_of(accumulators.begin(), accumulators.end(), [&](std::int64_t id) { return contains(known, id); });
}

// The node as it is kept of a superseded plan.
PlanNode without_children_and_metrics(PlanNode node) {
  node.children = {};
  node.metrics = {};
  return node;
}

}  // namespace

// An application counts its accumulators, so that those of a plan lie close together: a bit for each number is filled and read faster than
// they are sorted.
std::vector<std::int64_t> accumulators_of(const Plan& nodes) {
  const auto all = nodes.accumulators();
  if (all.empty()) {
    return {};
  }
  const auto [least, largest] = std::minmax_element(all.begin(), all.end());
  const auto first = static_cast<std::uint64_t>(*least);
  const auto numbers = static_cast<std::uint64_t>(*largest) - first;
  constexpr std::uint64_t kBits = 64;
  if (numbers / kBits > all.size()) {
    Ids ids(all.begin(), all.end());
    sort_each_once(ids);
    return ids;
  }
  std::vector<std::uint64_t> is_there(numbers / kBits + 1);
  for (const auto id : all) {
    const auto number = static_cast<std::uint64_t>(id) - first;
    is_there[number / kBits] |= std::uint64_t{1} << number % kBits;
  }
  Ids ids;
  ids.reserve(all.size());
  for (std::size_t word = 0; word < is_there.size(); ++word) {
    for (auto left = is_there[word]; left != 0; left &= left - 1) {
      ids.push_back(static_cast<std::int64_t>(first + word * kBits + static_cast<std::uint64_t>(std::countr_zero(left))));
    }
  }
  return ids;
}

ExecutionBuilder::Entry& ExecutionBuilder::entry(std::int64_t id) {
  auto& entry = entries_[id];
  entry.execution.id = id;
  return entry;
}

// Spark has about a hundred of them; whatever a log says, there are no more than fit.
std::uint16_t ExecutionBuilder::name_index(const std::string& name) {
  const auto known = metric_name_index_.find(name);
  if (known != metric_name_index_.end() || metric_names_.size() > std::numeric_limits<std::uint16_t>::max()) {
    return known == metric_name_index_.end() ? 0 : known->second;
  }
  const auto index = static_cast<std::uint16_t>(metric_names_.size());
  metric_names_.push_back(name);
  metric_name_index_.emplace(name, index);
  return index;
}

// Of a plan that comes while another one is there, which under adaptive execution is every second event, as little as possible is touched.
void ExecutionBuilder::replace_plan(Entry& entry, EventPlan&& plan) {
  keep_replaced_nodes(entry, plan.accumulators);
  entry.execution.plan = std::move(plan.nodes);
  entry.in_plan = std::move(plan.accumulators);
  entry.metric_names.clear();
  for (const auto& name : plan.metric_names) {
    entry.metric_names.push_back(name_index(name));
  }
}

// The nodes of the plan that goes, and of those before it, whose accumulators the next one does not have.
void ExecutionBuilder::keep_replaced_nodes(Entry& entry, const Ids& in_next) {
  auto& earlier = entry.execution.earlier_nodes;
  std::vector<PlanNode> kept;
  std::copy_if(earlier.begin(), earlier.end(), std::back_inserter(kept),
               [&](const PlanNode& node) { return !all_in(node.accumulators, in_next); });
  const auto still_kept = kept.size();
  const auto& plan = entry.execution.plan;
  const auto in_plan = entry.in_plan ? *std::move(entry.in_plan) : accumulators_of(plan);
  Ids lost;
  std::set_difference(in_plan.begin(), in_plan.end(), in_next.begin(), in_next.end(), std::back_inserter(lost));
  if (!lost.empty()) {
    Ids in_earlier;
    for (const auto& node : kept) {
      in_earlier.insert(in_earlier.end(), node.accumulators.begin(), node.accumulators.end());
    }
    std::sort(in_earlier.begin(), in_earlier.end());
    for (const auto& node : plan) {
      if (any_in(node.accumulators, lost) && !all_in(node.accumulators, in_earlier)) {
        kept.push_back(without_children_and_metrics(node));
      }
    }
  }
  if (kept.size() > still_kept || still_kept < earlier.size()) {
    earlier = Plan(kept);
  }
}

void ExecutionBuilder::add(SqlExecutionStart&& start) {
  auto& target = entry(start.id);
  auto& execution = target.execution;
  execution.root_id = start.root_id;
  execution.description = std::move(start.description);
  execution.details = std::move(start.details);
  execution.started_ms = start.time_ms;
  execution.modified_conf = std::move(start.modified_conf);
  replace_plan(target, std::move(start.plan));
}

void ExecutionBuilder::add(SqlAdaptiveUpdate&& update) {
  replace_plan(entry(update.id), std::move(update.plan));
}

void ExecutionBuilder::add(SqlAdaptiveMetrics&& metrics) {
  entry(metrics.id).subqueries.insert(metrics.accumulators.begin(), metrics.accumulators.end());
}

void ExecutionBuilder::add(SqlExecutionEnd&& end) {
  auto& target = entry(end.id);
  target.in_plan.reset();
  auto& execution = target.execution;
  execution.ended = true;
  execution.ended_ms = end.time_ms;
  execution.error = std::move(end.error);
}

// Accumulators of subqueries that no node has become those of a node of their own.
void ExecutionBuilder::add_subqueries(SqlExecution& execution, const std::set<std::int64_t>& subqueries) {
  if (subqueries.empty()) {
    return;
  }
  const auto in_plan = accumulators_of(execution.plan);
  const auto in_earlier = accumulators_of(execution.earlier_nodes);
  Ids without_node;
  std::copy_if(subqueries.begin(), subqueries.end(), std::back_inserter(without_node),
               [&](std::int64_t id) { return !contains(in_plan, id) && !contains(in_earlier, id); });
  if (!without_node.empty()) {
    std::vector<PlanNode> nodes(execution.earlier_nodes.begin(), execution.earlier_nodes.end());
    nodes.push_back(
        {.name = "Subquery", .simple_string = "Subquery", .children = {}, .accumulators = without_node, .metrics = {}, .metadata = {}});
    execution.earlier_nodes = Plan(nodes);
  }
}

SqlExecution ExecutionBuilder::finish(Entry&& entry) {
  auto& execution = entry.execution;
  execution.plan = std::move(execution.plan).with_metric_names(entry.metric_names);
  add_subqueries(execution, entry.subqueries);
  return std::move(execution);
}

std::vector<SqlExecution> ExecutionBuilder::finish() {
  std::vector<SqlExecution> executions;
  executions.reserve(entries_.size());
  for (auto& [id, entry] : entries_) {
    executions.push_back(finish(std::move(entry)));
  }
  entries_.clear();
  return executions;
}

}  // namespace stagegate
