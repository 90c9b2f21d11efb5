// The nodes of a physical plan as identity sees them: which operator, what it reads, what it does in normal form.
#pragma once

#include <string>
#include <string_view>

#include "model/application.h"

namespace stagegate {

// The operator without what varies: "GpuHashAggregate" -> "HashAggregate", "SortMergeJoin(skew=true)" -> "SortMergeJoin",
// "WholeStageCodegen (3)" -> "WholeStageCodegen", "CustomShuffleReader" -> "AQEShuffleRead", "Scan parquet db.t" -> "Scan",
// "Execute CreateViewCommand" -> "CreateViewCommand".
std::string operator_name(std::string_view node_name);

// A node that only wraps others, or that adaptive execution or code generation put in: it says nothing of the job.
bool is_wrapper(std::string_view operator_name);
bool is_shuffle(std::string_view operator_name);
bool is_broadcast(std::string_view operator_name);
// A join with a side that is sent to all executors, hash or nested loop.
bool is_broadcast_join(std::string_view operator_name);
// A join of two sides that are shuffled by their keys, merged or hashed.
bool is_shuffled_join(std::string_view operator_name);
// A leaf that reads from outside or makes rows; a cache is none.
bool is_source(std::string_view operator_name);

// The whole node in normal form. Of a file scan: format, table or place, schema and pushed filters, from its metadata, because its
// simple string is cut at a fixed length.
std::string normal_text(const PlanNode& node);

// What a source reads: "orders", "db.orders"; "range", "local rows", "rdd" where it has no name.
std::string source_name(const PlanNode& node);

}  // namespace stagegate
