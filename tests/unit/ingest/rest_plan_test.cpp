// Nodes and edges to a plan.
#include "ingest/rest/rest_plan.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/plans.h"

namespace stagegate {
namespace {

using Children = std::vector<std::uint32_t>;

std::vector<std::string> names_of(const Plan& plan) {
  std::vector<std::string> names;
  for (const auto& node : plan) {
    names.emplace_back(node.name);
  }
  return names;
}

// A join of two scans, as a server numbers it: the root is 0, and it comes last.
TEST(RestPlan, HasTheRootFirstAndEachNodeBehindItsParent) {
  const auto plan = plan_of({{4, "Scan b", "b"}, {3, "Sort", ""}, {2, "Scan a", "a"}, {1, "SortMergeJoin", ""}, {0, "Project", "p"}},
                            {{1, 0}, {2, 1}, {3, 1}, {4, 3}});
  EXPECT_EQ(names_of(plan), (std::vector<std::string>{"Project", "SortMergeJoin", "Scan a", "Sort", "Scan b"}));
  EXPECT_EQ(test::all(plan[0].children), Children{1});
  EXPECT_EQ(test::all(plan[1].children), (Children{2, 3}));
  EXPECT_EQ(test::all(plan[3].children), Children{4});
  EXPECT_EQ(plan[4].simple_string, "b");
}

TEST(RestPlan, LeavesOutTheBoxesAroundCodegenStages) {
  EXPECT_EQ(names_of(plan_of({{1, "WholeStageCodegen (1)", ""}, {2, "Range", ""}, {0, "Exchange", ""}}, {{2, 0}})),
            (std::vector<std::string>{"Exchange", "Range"}));
}

TEST(RestPlan, ANodeThatSeveralReadIsTheChildOfTheFirst) {
  const auto plan = plan_of({{0, "Join", ""}, {1, "Exchange", ""}, {2, "ReusedExchange", ""}}, {{1, 0}, {2, 0}, {1, 2}});
  ASSERT_EQ(plan.size(), 3U);
  EXPECT_EQ(test::all(plan[0].children), (Children{1, 2}));
  EXPECT_TRUE(plan[2].children.empty());
}

TEST(RestPlan, HasNoCircle) {
  EXPECT_EQ(names_of(plan_of({{0, "Root", ""}, {1, "A", ""}, {2, "B", ""}, {3, "Self", ""}}, {{1, 2}, {2, 1}, {3, 3}, {9, 0}, {0, 9}})),
            std::vector<std::string>{"Root"});
}

TEST(RestPlan, EndsWhereNoPlanGoesOn) {
  std::vector<RestPlanNode> nodes;
  std::vector<RestPlanEdge> edges;
  for (int i = 0; i < 10'000; ++i) {
    nodes.push_back({.id = i, .name = "Project", .description = ""});
    edges.push_back({.from = i + 1, .to = i});
  }
  EXPECT_EQ(plan_of(nodes, edges).size(), 800U);
}

TEST(RestPlan, NodesOfOneNumberAreTwo) {
  EXPECT_EQ(plan_of({{1, "A", ""}, {1, "B", ""}}, {{1, 1}}).size(), 1U);
  EXPECT_TRUE(plan_of({}, {{1, 0}}).empty());
}

}  // namespace
}  // namespace stagegate
