// The SQL executions of an application, with their final plans and what is needed of the superseded ones.
#pragma once

#include <cstdint>
#include <map>
#include <set>
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

 private:
  struct Entry {
    SqlExecution execution;
    std::set<std::int64_t> earlier;     // accumulators of earlier_nodes
    std::set<std::int64_t> subqueries;  // accumulators that came without a node
  };

  Entry& entry(std::int64_t id);
  static void replace_plan(Entry& entry, std::vector<PlanNode>&& plan);
  static SqlExecution finish(Entry&& entry);

  std::map<std::int64_t, Entry> entries_;
};

}  // namespace stagegate
