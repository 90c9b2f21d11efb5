// Plans as the events of SQL executions hold them. Most of an application's plans are those that adaptive execution replaces soon, each
// with thousands of metrics, so there are two ways to read them: the parser of JSON, and one that takes them as Spark writes them.
// Private to ingest/.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ingest/events.h"
#include "ingest/json_fields.h"

namespace stagegate {

// `sparkPlanInfo`; null leaves PLAN as it is.
bool read_plan(json::Value value, EventPlan& plan);

// Those of an array of metrics.
bool read_accumulators(json::Value array, std::vector<std::int64_t>& accumulators);

// None where the line is not an adaptive update as Spark writes it, or holds an escape or more than ASCII where it matters: then it is for
// the parser of JSON. Behind the line lies what LineCursor asks for.
std::optional<SqlAdaptiveUpdate> read_usual_update(std::string_view line);

}  // namespace stagegate
