#include <algorithm>
#include <set>

#include "report/stage_view.h"

namespace stagegate {
namespace {

using Ids = std::set<std::int64_t>;

Ids accumulators_of_other_stages(const Application& application, std::int32_t id) {
  Ids ids;
  for (const auto& attempt : application.stages) {
    if (attempt.id != id) {
      ids.insert(attempt.accumulators.begin(), attempt.accumulators.end());
    }
  }
  return ids;
}

// As rows flow: children before their parent, the left before the right.
std::vector<const PlanNode*> in_order_of_rows(const Plan& plan) {
  std::vector<const PlanNode*> parents_first;
  std::vector<bool> seen(plan.size(), false);
  for (std::size_t root = 0; root < plan.size(); ++root) {
    std::vector<std::size_t> waiting{root};
    while (!waiting.empty()) {
      const auto node = waiting.back();
      waiting.pop_back();
      if (node >= plan.size() || seen[node]) {
        continue;
      }
      seen[node] = true;
      parents_first.push_back(&plan[node]);
      waiting.insert(waiting.end(), plan[node].children.begin(), plan[node].children.end());
    }
  }
  // Parents first and the right before the left, read backwards.
  std::reverse(parents_first.begin(), parents_first.end());
  return parents_first;
}

std::string_view name_at(const Application& application, std::uint32_t index) {
  return index < application.plan_metric_names.size() ? std::string_view(application.plan_metric_names[index]) : std::string_view();
}

std::optional<std::int64_t> value_of(const Application& application, std::int64_t accumulator) {
  const auto& values = application.accumulator_values;
  const auto found = std::lower_bound(values.begin(), values.end(), accumulator,
                                      [](const AccumulatorValue& value, std::int64_t id) { return value.id < id; });
  return found != values.end() && found->id == accumulator ? std::optional(found->value) : std::nullopt;
}

class Finder {
 public:
  Finder(const Application& application, const StageAttempt& attempt)
      : application_(application), own_(attempt.accumulators), others_(accumulators_of_other_stages(application, attempt.id)) {}

  void add(const PlanNode& node, std::int64_t execution) {
    // What ingest/ makes up for accumulators without a plan says nothing.
    if (node.metrics.empty() && node.simple_string == node.name) {
      return;
    }
    // A copy below a reused exchange has the accumulators of the node that ran.
    bool is_new = false;
    for (const auto id : node.accumulators) {
      is_new = (is_own(id) && shown_.insert(id).second) || is_new;
    }
    if (is_new) {
      operators_.push_back({.node = &node, .execution = execution, .metrics = metrics_of(node)});
    }
  }

  std::vector<StageOperator> operators() && { return std::move(operators_); }

 private:
  bool is_own(std::int64_t id) const { return std::binary_search(own_.begin(), own_.end(), id); }

  std::vector<OperatorMetric> metrics_of(const PlanNode& node) const {
    std::vector<OperatorMetric> metrics;
    for (std::size_t i = 0; i < std::min(node.metrics.size(), node.accumulators.size()); ++i) {
      const auto id = node.accumulators[i];
      const auto value = value_of(application_, id);
      const OperatorMetric metric{.name = name_at(application_, node.metrics[i].name),
                                  .type = name_at(application_, node.metrics[i].type),
                                  .value = value.value_or(0)};
      // Averages of tasks have been added up, which says nothing; a size or a time that nobody counted is -1.
      if (metric.value > 0 && metric.type != "average" && (is_own(id) || !others_.contains(id))) {
        metrics.push_back(metric);
      }
    }
    return metrics;
  }

  const Application& application_;
  const std::vector<std::int64_t>& own_;
  const Ids others_;
  Ids shown_;
  std::vector<StageOperator> operators_;
};

}  // namespace

std::vector<StageOperator> stage_operators(const Application& application, const StageAttempt& attempt) {
  Finder finder(application, attempt);
  for (const auto& execution : application.executions) {
    for (const auto* node : in_order_of_rows(execution.plan)) {
      finder.add(*node, execution.id);
    }
    std::for_each(execution.earlier_nodes.rbegin(), execution.earlier_nodes.rend(),
                  [&](const PlanNode& node) { finder.add(node, execution.id); });
  }
  return std::move(finder).operators();
}

}  // namespace stagegate
