#include "fuzz/application_checks.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "fuzz/require.h"
#include "model/pool_attempts.h"
#include "unit/ingest/describe.h"

namespace stagegate {
namespace {

void check_column(const PackedColumn& column, std::size_t rows) {
  require(column.empty() || column.size() == rows, "a column is as long as the others, or empty");
}

void check_distribution(const Distribution& distribution) {
  require(distribution.count > 0, "a distribution is of something");
  require(distribution.min <= distribution.max, "the least is not above the most");
  const auto q25 = distribution.p25.as_double();
  const auto q50 = distribution.median.as_double();
  const auto q75 = distribution.p75.as_double();
  require(static_cast<double>(distribution.min) <= q25 && q25 <= q50 && q50 <= q75 && q75 <= static_cast<double>(distribution.max),
          "quartiles come in their order");
}

void check_winners(const StageAttempt& stage) {
  const auto rows = stage.winners.rows();
  require(stage.tasks.succeeded == static_cast<std::int64_t>(rows), "each success has a row");
  const auto partitions = stage.winners.partitions.values();
  require(std::set<std::int64_t>(partitions.begin(), partitions.end()).size() == rows, "each partition has one winner");
  require(std::all_of(partitions.begin(), partitions.end(), [](std::int64_t partition) { return partition >= 0; }),
          "partitions are not negative");
  for (const auto& column : stage.winners.details) {
    check_column(column, rows);
  }
  for (const auto* column : {&stage.winners.task_ids, &stage.winners.attempt_numbers, &stage.winners.launched_ms, &stage.winners.places}) {
    check_column(*column, rows);
  }
  for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
    const auto& column = stage.winners.metrics[metric];
    check_column(column, rows);
    require(column.empty() != stage.distributions[metric].has_value(), "what has rows has a distribution");
    require(column.empty() != stage.totals[metric].has_value(), "what has rows has a total");
    if (stage.distributions[metric]) {
      check_distribution(*stage.distributions[metric]);
      require(stage.distributions[metric]->sum == *stage.totals[metric], "the total is the sum");
    }
  }
}

void check_stage(const Application& application, const StageAttempt& stage) {
  check_winners(stage);
  require(stage.tasks.failed >= 0 && stage.tasks.killed >= 0 && stage.tasks.speculative >= 0, "counts are not negative");
  require(std::is_sorted(stage.jobs.begin(), stage.jobs.end()), "the jobs of a stage come in their order");
  require(std::is_sorted(stage.accumulators.begin(), stage.accumulators.end()), "accumulators come in their order");
  require(stage.failures.size() <= kMaxTaskFailures, "few kinds of failures are kept");
  for (const auto place : stage.winners.places.values()) {
    require(place >= 0 && static_cast<std::size_t>(place) < application.places.size(), "a task ran at a place that there is");
  }
}

void check_plan(const Application& application, const Plan& nodes) {
  for (const auto& node : nodes) {
    for (const auto child : node.children) {
      require(child < nodes.size(), "the children of a node are nodes");
    }
    require(node.metrics.empty() || node.metrics.size() == node.accumulators.size(), "an accumulator has one metric");
    for (const auto& metric : node.metrics) {
      require(metric.name < application.plan_metric_names.size() && metric.type < application.plan_metric_names.size(),
              "a metric has a name and a type");
    }
  }
}

// The promise that a gate stands on: what is called complete has nothing missing, as far as the events tell.
void check_complete(const Application& application) {
  require(application.end_ms.has_value(), "what is complete has ended");
  require(application.start_ms.has_value(), "what is complete has begun");
  require(application.evidence.lines.value_or(LineCounts()).malformed == 0, "what is complete has no broken line");
  std::map<std::int32_t, std::pair<std::int64_t, std::set<std::int64_t>>> stages;
  for (const auto& stage : application.stages) {
    require(stage.status != StageStatus::active && stage.status != StageStatus::unknown, "what is complete has no open stage");
    if (ran(stage)) {
      auto& [declared, partitions] = stages[stage.id];
      declared = std::max(declared, stage.tasks.declared);
      const auto won = stage.winners.partitions.values();
      partitions.insert(won.begin(), won.end());
      if (stage.status == StageStatus::failed) {
        declared = 0;
        partitions.clear();
      }
    }
  }
  for (const auto& [id, stage] : stages) {
    require(static_cast<std::int64_t>(stage.second.size()) >= stage.first, "what is complete has the ends of all tasks");
  }
  for (const auto& job : application.jobs) {
    require(job.status != JobStatus::running, "what is complete has no open job");
  }
}

void check_evidence(const Evidence& evidence) {
  const auto lines = evidence.lines.value_or(LineCounts());
  require(lines.malformed <= lines.all && lines.unknown_events <= lines.all, "there are no more events than lines");
  for (const auto& problem : evidence.problems) {
    require(!problem.code.empty() && !problem.message.empty(), "a problem says what it is");
  }
}

}  // namespace

void check_values(const Application& application) {
  using Key = std::pair<std::int32_t, std::int32_t>;
  std::vector<Key> keys;
  for (const auto& stage : application.stages) {
    check_stage(application, stage);
    keys.emplace_back(stage.id, stage.attempt);
  }
  require(std::adjacent_find(keys.begin(), keys.end(), std::greater_equal<Key>()) == keys.end(), "stages come in their order, each once");
  for (const auto& execution : application.executions) {
    check_plan(application, execution.plan);
    check_plan(application, execution.earlier_nodes);
  }
  // What comes after reading takes any application.
  pool_attempts(application);
}

void check_application(const Application& application) {
  check_values(application);
  check_evidence(application.evidence);
  if (application.evidence.complete()) {
    check_complete(application);
  }
}

std::string check_result(const Result<Application>& result) {
  if (result) {
    check_application(*result);
    return describe(*result);
  }
  const auto& error = result.error();
  require(error.kind == ErrorKind::evidence || error.kind == ErrorKind::usage, "an error is of the evidence, or of the choice");
  require(!error.message.empty(), "an error says what it is");
  return fmt::format("error {} {}", static_cast<int>(error.kind), error.message);
}

}  // namespace stagegate
