#include "ingest/execution_builder.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace stagegate {
namespace {

// Accumulators, sorted.
using Ids = std::vector<std::int64_t>;

Ids accumulators_of(const std::vector<PlanNode>& nodes) {
  Ids ids;
  for (const auto& node : nodes) {
    ids.insert(ids.end(), node.accumulators.begin(), node.accumulators.end());
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

bool contains(const Ids& ids, std::int64_t id) {
  return std::binary_search(ids.begin(), ids.end(), id);
}

bool all_in(const std::vector<std::int64_t>& accumulators, const Ids& known) {
  return std::all_of(accumulators.begin(), accumulators.end(), [&](std::int64_t id) { return contains(known, id); });
}

}  // namespace

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

void ExecutionBuilder::replace_plan(Entry& entry, EventPlan&& plan) {
  auto& execution = entry.execution;
  const auto in_new = accumulators_of(plan.nodes);
  std::erase_if(execution.earlier_nodes, [&](const PlanNode& node) { return all_in(node.accumulators, in_new); });
  const auto in_earlier = accumulators_of(execution.earlier_nodes);
  for (auto& node : execution.plan) {
    if (!all_in(node.accumulators, in_new) && !all_in(node.accumulators, in_earlier)) {
      node.children = {};
      node.metrics = {};
      execution.earlier_nodes.push_back(std::move(node));
    }
  }
  std::vector<std::uint16_t> names;
  for (const auto& name : plan.metric_names) {
    names.push_back(name_index(name));
  }
  for (auto& node : plan.nodes) {
    for (auto& metric : node.metrics) {
      metric = {metric.name < names.size() ? names[metric.name] : std::uint16_t{0},
                metric.type < names.size() ? names[metric.type] : std::uint16_t{0}};
    }
  }
  execution.plan = std::move(plan.nodes);
  execution.plan.shrink_to_fit();
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
  auto& execution = entry(end.id).execution;
  execution.ended = true;
  execution.ended_ms = end.time_ms;
  execution.error = std::move(end.error);
}

SqlExecution ExecutionBuilder::finish(Entry&& entry) {
  auto& execution = entry.execution;
  const auto in_plan = accumulators_of(execution.plan);
  const auto in_earlier = accumulators_of(execution.earlier_nodes);
  PlanNode subquery{.name = "Subquery", .simple_string = "Subquery", .children = {}, .accumulators = {}, .metadata = {}};
  for (const auto id : entry.subqueries) {
    if (!contains(in_plan, id) && !contains(in_earlier, id)) {
      subquery.accumulators.push_back(id);
    }
  }
  if (!subquery.accumulators.empty()) {
    execution.earlier_nodes.push_back(std::move(subquery));
  }
  execution.earlier_nodes.shrink_to_fit();
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
