// The SQL executions of an application, with their final plans and what is needed of the superseded ones.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ingest/events.h"
#include "model/application.h"

namespace stagegate {

class ExecutionBuilder {
 public:
  void add(SqlExecutionStart&& start);
  void add(SqlAdaptiveUpdate&& update);
  void add(SqlAdaptiveMetrics&& metrics);
  void add(SqlExecutionEnd&& end);

  // By id.
  std::vector<SqlExecution> finish();
  // What the metrics of all plans are called: PlanMetric points into it. After finish().
  std::vector<std::string> take_metric_names() { return std::move(metric_names_); }

 private:
  struct Entry {
    SqlExecution execution;
    std::optional<std::vector<std::int64_t>> in_plan;  // the accumulators of its plan, ascending, while another plan may come
    std::vector<std::uint16_t> metric_names;           // what the names that its plan's metrics point to are in the application
    std::set<std::int64_t> subqueries;                 // accumulators that came without a node
  };

  Entry& entry(std::int64_t id);
  void replace_plan(Entry& entry, EventPlan&& plan);
  static void keep_replaced_nodes(Entry& entry, const std::vector<std::int64_t>& in_next);
  static void add_subqueries(SqlExecution& execution, const std::set<std::int64_t>& subqueries);
  std::uint16_t name_index(const std::string& name);
  static SqlExecution finish(Entry&& entry);

  std::map<std::int64_t, Entry> entries_;
  std::vector<std::string> metric_names_{""};
  std::map<std::string, std::uint16_t> metric_name_index_{{"", 0}};
};

}  // namespace stagegate
