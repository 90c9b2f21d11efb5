// The events of SQL executions: plain Jackson of case classes, so keys are in camel case and missing options are null.
#include <cstdint>

#include "ingest/parse_events.h"
#include "ingest/plan_reader.h"

namespace stagegate {
namespace {

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
  std::optional<std::int64_t> id;
  const bool good = json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "executionId") {
      return json::read(value, id);
    }
    return key == "sqlPlanMetrics" ? read_accumulators(value, metrics.accumulators) : true;
  });
  metrics.id = id.value_or(0);
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
