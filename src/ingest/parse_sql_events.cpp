// The events of SQL executions: plain Jackson of case classes, so keys are in camel case and missing options are null.
#include <algorithm>

#include "ingest/parse_events.h"

namespace stagegate {
namespace {

// Nodes below are left out. Deeper plans than this break Spark itself.
constexpr int kMaxPlanDepth = 800;

// The index of NAME in NAMES, which gets it if it is new and there is room. A plan has a few dozen.
std::uint16_t index_in(std::vector<std::string>& names, std::string_view name) {
  constexpr std::size_t kMostNames = 4096;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end() && names.size() < kMostNames) {
    names.emplace_back(name);
    return static_cast<std::uint16_t>(names.size() - 1);
  }
  return static_cast<std::uint16_t>(found - names.begin());
}

bool read_metric(json::Value object, std::vector<std::string>& names, std::optional<std::int64_t>& id, PlanMetric& metric) {
  return json::for_each_field(object, [&](json::Key key, json::Value value) {
    std::string_view text;
    if (key == "accumulatorId") {
      return json::read(value, id);
    }
    if (key == "name") {
      const bool good = json::read(value, text);
      metric.name = index_in(names, text);
      return good;
    }
    if (key == "metricType") {
      const bool good = json::read(value, text);
      metric.type = index_in(names, text);
      return good;
    }
    return true;
  });
}

bool read_metrics(json::Value array, std::vector<std::string>& names, PlanNode& node) {
  return json::for_each_element(array, [&](json::Value element) {
    std::optional<std::int64_t> id;
    PlanMetric metric;
    const bool good = read_metric(element, names, id, metric);
    if (id) {
      node.accumulators.push_back(*id);
      node.metrics.push_back(metric);
    }
    return good;
  });
}

// Appends the node and everything below it to the plan, itself first.
bool read_node(json::Value object, EventPlan& plan, int depth) {
  auto& nodes = plan.nodes;
  const std::size_t self = nodes.size();
  nodes.emplace_back();
  const auto read_child = [&](json::Value child) {
    if (depth == kMaxPlanDepth) {
      return true;
    }
    nodes[self].children.push_back(nodes.size());
    return read_node(child, plan, depth + 1);
  };
  return json::for_each_field(object, [&](json::Key key, json::Value value) {
    if (key == "nodeName") {
      return json::read(value, nodes[self].name);
    }
    if (key == "simpleString") {
      return json::read(value, nodes[self].simple_string);
    }
    if (key == "children") {
      return json::for_each_element(value, read_child);
    }
    if (key == "metadata") {
      return json::read(value, nodes[self].metadata);
    }
    return key == "metrics" ? read_metrics(value, plan.metric_names, nodes[self]) : true;
  });
}

bool read_plan(json::Value value, EventPlan& plan) {
  const bool good = json::is_null(value) || read_node(value, plan, 1);
  plan.nodes.shrink_to_fit();
  plan.accumulators = accumulators_of(plan.nodes);
  return good;
}

bool read_update(json::Value pair, std::vector<AccumulatorValue>& values) {
  std::vector<std::int64_t> numbers;
  const bool good = json::read(pair, numbers);
  if (numbers.size() == 2) {
    values.push_back({numbers[0], numbers[1]});
  }
  return good;
}

}  // namespace

bool parse_sql_execution_start(json::ondemand::object fields, Event& event) {
  auto& start = event.emplace<SqlExecutionStart>();
  std::optional<std::int64_t> id;
  const bool good = json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "executionId") {
      return json::read(value, id);
    }
    if (key == "rootExecutionId") {
      return json::read(value, start.root_id);
    }
    if (key == "description") {
      return json::read(value, start.description);
    }
    if (key == "details") {
      return json::read(value, start.details);
    }
    if (key == "sparkPlanInfo") {
      return read_plan(value, start.plan);
    }
    if (key == "time") {
      return json::read(value, start.time_ms);
    }
    return key == "modifiedConfigs" ? json::read(value, start.modified_conf) : true;
  });
  start.id = id.value_or(0);
  return good && id;
}

bool parse_sql_adaptive_update(json::ondemand::object fields, Event& event) {
  auto& update = event.emplace<SqlAdaptiveUpdate>();
  std::optional<std::int64_t> id;
  const bool good = json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "executionId") {
      return json::read(value, id);
    }
    return key == "sparkPlanInfo" ? read_plan(value, update.plan) : true;
  });
  update.id = id.value_or(0);
  return good && id;
}

bool parse_sql_adaptive_metrics(json::ondemand::object fields, Event& event) {
  auto& metrics = event.emplace<SqlAdaptiveMetrics>();
  std::vector<std::string> names;
  PlanNode node;
  std::optional<std::int64_t> id;
  const bool good = json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "executionId") {
      return json::read(value, id);
    }
    return key == "sqlPlanMetrics" ? read_metrics(value, names, node) : true;
  });
  metrics.id = id.value_or(0);
  metrics.accumulators = std::move(node.accumulators);
  return good && id;
}

bool parse_driver_accumulator_updates(json::ondemand::object fields, Event& event) {
  auto& updates = event.emplace<DriverAccumulatorUpdates>();
  return json::for_each_field(fields, [&](json::Key key, json::Value value) {
    return key == "accumUpdates" ? json::for_each_element(value, [&](json::Value pair) { return read_update(pair, updates.values); })
                                 : true;
  });
}

bool parse_sql_execution_end(json::ondemand::object fields, Event& event) {
  auto& end = event.emplace<SqlExecutionEnd>();
  std::optional<std::int64_t> id;
  const bool good = json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "executionId") {
      return json::read(value, id);
    }
    if (key == "time") {
      return json::read(value, end.time_ms);
    }
    return key == "errorMessage" ? json::read(value, end.error) : true;
  });
  end.id = id.value_or(0);
  return good && id;
}

}  // namespace stagegate
