// The events of SQL executions: plain Jackson of case classes, so keys are in camel case and missing options are null.
#include "ingest/parse_events.h"

namespace stagegate {
namespace {

// Nodes below are left out. Deeper plans than this break Spark itself.
constexpr int kMaxPlanDepth = 800;

bool read_accumulator_ids(json::Value metrics, std::vector<std::int64_t>& ids) {
  return json::for_each_element(metrics, [&](json::Value metric) {
    return json::for_each_field(metric, [&](json::Key key, json::Value value) {
      if (!(key == "accumulatorId")) {
        return true;
      }
      std::optional<std::int64_t> id;
      const bool good = json::read(value, id);
      if (id) {
        ids.push_back(*id);
      }
      return good;
    });
  });
}

// Appends the node and everything below it to NODES, itself first.
bool read_plan(json::Value object, std::vector<PlanNode>& nodes, int depth) {
  const std::size_t self = nodes.size();
  nodes.emplace_back();
  const auto read_child = [&](json::Value child) {
    if (depth == kMaxPlanDepth) {
      return true;
    }
    nodes[self].children.push_back(nodes.size());
    return read_plan(child, nodes, depth + 1);
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
    return key == "metrics" ? read_accumulator_ids(value, nodes[self].accumulators) : true;
  });
}

bool read_plan(json::Value value, std::vector<PlanNode>& nodes) {
  return json::is_null(value) || read_plan(value, nodes, 1);
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
  std::optional<std::int64_t> id;
  const bool good = json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "executionId") {
      return json::read(value, id);
    }
    return key == "sqlPlanMetrics" ? read_accumulator_ids(value, metrics.accumulators) : true;
  });
  metrics.id = id.value_or(0);
  return good && id;
}

bool parse_sql_execution_end(json::ondemand::object fields, Event& event) {
  auto& end = event.emplace<SqlExecutionEnd>();
  std::optional<std::int64_t> id;
  const bool good = json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "executionId") {
      return json::read(value, id);
    }
    return key == "errorMessage" ? json::read(value, end.error) : true;
  });
  end.id = id.value_or(0);
  return good && id;
}

}  // namespace stagegate
