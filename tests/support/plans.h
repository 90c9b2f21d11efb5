// Plans for tests, which change what a Plan does not let be changed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/plan.h"

namespace stagegate::test {

template <typename Value>
std::vector<Value> all(std::span<const Value> values) {
  return {values.begin(), values.end()};
}

inline std::vector<PlanNodeDraft> drafts_of(const Plan& plan) {
  std::vector<PlanNodeDraft> drafts;
  for (const auto& node : plan) {
    auto& draft = drafts.emplace_back(PlanNodeDraft{.name = std::string(node.name),
                                                    .simple_string = std::string(node.simple_string),
                                                    .children = all(node.children),
                                                    .accumulators = all(node.accumulators),
                                                    .metrics = all(node.metrics),
                                                    .metadata = {}});
    for (const auto& entry : node.metadata) {
      draft.metadata.emplace(entry.key, entry.value);
    }
  }
  return drafts;
}

// EDIT(PlanNodeDraft&) changes each node.
template <typename Edit>
void edit_nodes(Plan& plan, Edit&& edit) {
  auto drafts = drafts_of(plan);
  for (auto& draft : drafts) {
    edit(draft);
  }
  plan = plan_of(drafts);
}

}  // namespace stagegate::test
