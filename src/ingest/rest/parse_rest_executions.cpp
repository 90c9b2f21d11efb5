// Answers about SQL executions.
#include <utility>

#include "base/saturating.h"
#include "ingest/rest/parse_rest.h"
#include "ingest/rest/rest_json.h"
#include "ingest/rest/rest_plan.h"

namespace stagegate {
namespace {

using rest::Fields;
using rest::ShapeError;

Plan plan_in(const Fields& fields, ShapeError& error) {
  std::vector<RestPlanNode> nodes;
  std::vector<RestPlanEdge> edges;
  fields.each("nodes", [&](const rest::json::value& element) {
    const Fields node(element, error);
    nodes.push_back({.id = node.required_integer("nodeId"),
                     .name = node.own_text("nodeName").value_or(""),
                     .description = node.own_text("desc").value_or("")});
  });
  fields.each("edges", [&](const rest::json::value& element) {
    const Fields edge(element, error);
    edges.push_back({.from = edge.required_integer("fromId"), .to = edge.required_integer("toId")});
  });
  return plan_of(std::move(nodes), edges);
}

RestExecution execution_of(const Fields& fields, ShapeError& error) {
  RestExecution execution;
  auto& start = execution.start;
  start.id = fields.required_integer("id");
  start.root_id = fields.integer("rootExecutionId");
  start.description = fields.own_text("description").value_or("");
  start.time_ms = fields.time("submissionTime");
  start.plan.nodes = plan_in(fields, error);
  for (const auto* const jobs : {"runningJobIds", "successJobIds", "failedJobIds"}) {
    fields.each(jobs, [&](const auto& id) { rest::add_integers(id, execution.jobs, error); });
  }
  const auto duration = fields.integer("duration");
  execution.failed = fields.text("status") == "FAILED";
  if (fields.text("status") != "RUNNING") {
    auto& end = execution.end.emplace();
    end.id = start.id;
    end.time_ms = start.time_ms && duration ? std::optional(saturating_add(*start.time_ms, *duration)) : std::nullopt;
    end.error = fields.own_text("errorMessage");
  }
  return execution;
}

}  // namespace

Result<std::vector<RestExecution>> parse_rest_executions(std::string_view body) {
  std::vector<RestExecution> executions;
  STAGEGATE_TRY(rest::read_list(body, [&](const Fields& fields, ShapeError& error) { executions.push_back(execution_of(fields, error)); }));
  return executions;
}

}  // namespace stagegate
