// The physical plan of a SQL execution as the REST API has it: nodes and edges of the drawing in Spark's UI, without accumulators.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/application.h"

namespace stagegate {

struct RestPlanNode {
  std::int64_t id = 0;
  std::string name;
  std::string description;  // what a plan calls simpleString; "" before Spark 4.2
};

// From a child to its parent.
struct RestPlanEdge {
  std::int64_t from = 0;
  std::int64_t to = 0;
};

// The root first, each node behind its parent. A node that several others read, as a reused exchange, is the child of the first; a circle,
// which no plan has, and what is below 800 nodes is left out, and so are the boxes that the UI draws around the nodes of a codegen stage.
Plan plan_of(std::vector<RestPlanNode> nodes, const std::vector<RestPlanEdge>& edges);

}  // namespace stagegate
