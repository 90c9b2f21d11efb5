#include "ingest/rest/rest_plan.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

namespace stagegate {
namespace {

// As deep as a plan of an event log is read.
constexpr std::size_t kMaxDepth = 800;

constexpr auto kNoParent = static_cast<std::size_t>(-1);

using Children = std::vector<std::vector<std::size_t>>;

// Of each node, in the order of their ids, which is the order in the plan.
struct Tree {
  Children children;
  std::vector<std::size_t> roots;
};

Tree tree_of(const std::vector<RestPlanNode>& nodes, const std::vector<RestPlanEdge>& edges) {
  std::map<std::int64_t, std::size_t> index_of_id;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    index_of_id.emplace(nodes[i].id, i);
  }
  std::vector<std::size_t> parent(nodes.size(), kNoParent);
  for (const auto& edge : edges) {
    const auto from = index_of_id.find(edge.from);
    const auto to = index_of_id.find(edge.to);
    if (from != index_of_id.end() && to != index_of_id.end() && parent[from->second] == kNoParent) {
      parent[from->second] = to->second;
    }
  }
  Tree tree{.children = Children(nodes.size()), .roots = {}};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    (parent[i] == kNoParent ? tree.roots : tree.children[parent[i]]).push_back(i);
  }
  return tree;
}

// A node of the tree that is still to be written, and the place of its parent in the plan.
struct Waiting {
  std::size_t node = 0;
  std::optional<std::size_t> parent;
  std::size_t depth = 1;
};

}  // namespace

Plan plan_of(std::vector<RestPlanNode> nodes, const std::vector<RestPlanEdge>& edges) {
  std::erase_if(nodes, [](const RestPlanNode& node) { return node.name.starts_with("WholeStageCodegen"); });
  std::sort(nodes.begin(), nodes.end(), [](const RestPlanNode& a, const RestPlanNode& b) { return a.id < b.id; });
  const auto tree = tree_of(nodes, edges);
  std::vector<PlanNodeDraft> plan;
  std::vector<Waiting> waiting;
  for (auto root = tree.roots.rbegin(); root != tree.roots.rend(); ++root) {
    waiting.push_back({.node = *root, .parent = {}, .depth = 1});
  }
  while (!waiting.empty()) {
    const auto next = waiting.back();
    waiting.pop_back();
    if (next.parent) {
      plan[*next.parent].children.push_back(static_cast<std::uint32_t>(plan.size()));
    }
    const auto& children = tree.children[next.node];
    for (auto child = children.rbegin(); next.depth < kMaxDepth && child != children.rend(); ++child) {
      waiting.push_back({.node = *child, .parent = plan.size(), .depth = next.depth + 1});
    }
    auto& node = plan.emplace_back();
    node.name = std::move(nodes[next.node].name);
    node.simple_string = std::move(nodes[next.node].description);
  }
  return plan_of(plan);
}

}  // namespace stagegate
