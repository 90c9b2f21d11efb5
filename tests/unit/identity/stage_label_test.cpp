#include "identity/stage_label.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unit/identity/applications.h"

namespace stagegate {
namespace {

// The label of a part that runs one operator over the table t.
std::string label_of(const std::string& name, const std::string& simple_string, const std::string& action = "") {
  std::vector<PlanNodeDraft> drafts;
  test::add_node(drafts, 0, name, simple_string, {1});
  test::add_scan(drafts, 0, "t", 2);
  const auto plan = plan_of(drafts);
  PlanPart part;
  part.nodes = {{.plan = &plan, .index = 1}, {.plan = &plan, .index = 0}};
  return make_label("", steps_of(part, action));
}

// The label of a part that scans the table t and feeds an exchange.
std::string label_to(const std::string& exchange, Sink sink = Sink::shuffle) {
  std::vector<PlanNodeDraft> drafts;
  test::add_node(drafts, 0, "Exchange", exchange, {1});
  test::add_scan(drafts, 0, "t", 2);
  const auto plan = plan_of(drafts);
  PlanPart part;
  part.nodes = {{.plan = &plan, .index = 1}};
  part.sink = sink;
  part.exchange = NodeRef{.plan = &plan, .index = 0};
  return make_label("", steps_of(part, "collect"));
}

TEST(StageLabel, SaysWhatEachOperatorDoes) {
  EXPECT_EQ(label_of("Filter", "Filter isnotnull(a#1)"), "scan t");
  EXPECT_EQ(label_of("Filter", "Filter isnotnull(a#1)", "collect"), "scan t > collect");
  EXPECT_EQ(label_of("HashAggregate", "HashAggregate(keys=[a#1, b#2L], functions=[sum(c#3)])"), "scan t > aggregate by a, b");
  EXPECT_EQ(label_of("SortAggregate", "SortAggregate(keys=[a#1], functions=[partial_sum(c#3)])"), "scan t > partial aggregate by a");
  EXPECT_EQ(label_of("HashAggregate", "HashAggregate(keys=[a#1], functions=[])"), "scan t > distinct by a");
  EXPECT_EQ(label_of("HashAggregate", "HashAggregate(keys=[], functions=[count(1)])", "count"), "scan t > aggregate > count");
  EXPECT_EQ(label_of("BroadcastHashJoin", "BroadcastHashJoin [a#1], [b#2], LeftOuter, BuildRight, false"),
            "scan t > broadcast left join on a = b");
  EXPECT_EQ(label_of("ShuffledHashJoin", "ShuffledHashJoin [a#1, b#2], [a#3, b#4], LeftAnti, BuildRight"), "scan t > anti join on a, b");
  EXPECT_EQ(label_of("BroadcastNestedLoopJoin", "BroadcastNestedLoopJoin BuildRight, Cross"), "scan t > broadcast cross join");
  EXPECT_EQ(label_of("CartesianProduct", "CartesianProduct"), "scan t > cross join");
  EXPECT_EQ(label_of("Window", "Window [rank(a#1) windowspecdefinition(b#2, a#1 DESC NULLS LAST) AS r#3], [b#2], [a#1 DESC NULLS LAST]"),
            "scan t > window by b");
  EXPECT_EQ(label_of("TakeOrderedAndProject", "TakeOrderedAndProject(limit=20, orderBy=[n#1 DESC NULLS LAST], output=[a#2])"),
            "scan t > top 20 by n");
  EXPECT_EQ(label_of("Sort", "Sort [a#1 ASC NULLS FIRST], true, 0"), "scan t > sort by a");
  EXPECT_EQ(label_of("Sort", "Sort [a#1 ASC NULLS FIRST], false, 0"), "scan t");
  EXPECT_EQ(label_of("CollectLimit", "CollectLimit 21", "show"), "scan t > limit > show");
  EXPECT_EQ(label_of("Generate", "Generate explode(a#1), false, [b#2]"), "scan t > explode");
  EXPECT_EQ(label_of("BatchEvalPython", "BatchEvalPython [f(a#1)#2], [pythonUDF0#3]"), "scan t > python");
  EXPECT_EQ(label_of("Execute CreateViewCommand", "Execute CreateViewCommand"), "scan t > create view");
  EXPECT_EQ(label_of("Execute InsertIntoHadoopFsRelationCommand",
                     "Execute InsertIntoHadoopFsRelationCommand file:/x/rev, false, [day#1], ORC, [path=/x/rev], Append, [a]", "orc"),
            "scan t > write orc to rev");
}

TEST(StageLabel, SaysWhereTheRowsGo) {
  EXPECT_EQ(label_to("Exchange hashpartitioning(a#1, b#2, 200), ENSURE_REQUIREMENTS"), "scan t > shuffle by a, b");
  EXPECT_EQ(label_to("Exchange SinglePartition, ENSURE_REQUIREMENTS"), "scan t > shuffle write");
  EXPECT_EQ(label_to("Exchange RoundRobinPartitioning(3), REPARTITION_BY_NUM"), "scan t > repartition");
  EXPECT_EQ(label_to("Exchange hashpartitioning(a#1, 3), REPARTITION_BY_COL"), "scan t > repartition by a");
  EXPECT_EQ(label_to("Exchange rangepartitioning(a#1 ASC NULLS FIRST, 3), ENSURE_REQUIREMENTS"), "scan t > shuffle by a");
  EXPECT_EQ(label_to("Exchange rangepartitioning(a#1 ASC NULLS FIRST, 3), ENSURE_REQUIREMENTS", Sink::sample), "scan t > sample by a");
  EXPECT_EQ(label_to("BroadcastExchange Mode", Sink::broadcast), "scan t > broadcast");
}

TEST(StageLabel, NamesTheTwoSourcesOfAJoin) {
  std::vector<PlanNodeDraft> drafts;
  test::add_node(drafts, 0, "SortMergeJoin", "SortMergeJoin [id#1], [id#2], Inner", {1});
  test::add_scan(drafts, test::add_node(drafts, 0, "Exchange", "Exchange hashpartitioning(id#1, 200)", {2}), "orders", 3);
  test::add_scan(drafts, test::add_node(drafts, 0, "Exchange", "Exchange hashpartitioning(id#2, 200)", {4}), "customers", 5);
  const auto plan = plan_of(drafts);
  PlanPart part;
  part.nodes = {{.plan = &plan, .index = 0}};
  EXPECT_EQ(make_label("", steps_of(part, "")), "join orders, customers on id");
  EXPECT_EQ(make_label("a description that is really far too long for a label", steps_of(part, "")),
            "a description that is really far too long for...: join orders, customers on id");
}

TEST(StageLabel, IsCutInTheMiddleBeforeItsEnd) {
  const std::string word(30, 'x');
  const std::vector<Step> steps{{"scan a", "scan a"}, {word, word}, {word + "2", word + "2"}, {word + "3", word + "3"}, {"write", "write"}};
  EXPECT_EQ(make_label("", steps), "scan a > ... > " + word + "2 > " + word + "3 > write");
  EXPECT_EQ(make_label("prefix of the author", steps), "prefix of the author: scan a > ... > " + word + "2 > " + word + "3 > write");
  EXPECT_EQ(make_label("prefix of the author of the job", steps), "prefix of the author of the job: scan a > ... > " + word + "3 > write");
  const std::vector<Step> one{{std::string(200, 'y'), std::string(200, 'y')}};
  EXPECT_EQ(make_label("", one), std::string(kLongestLabel - 3, 'y') + "...");
}

TEST(StageLabel, NeverCutsInsideOfACharacter) {
  std::string umlauts;
  while (umlauts.size() < 200) {
    umlauts += "\u00fc";
  }
  const auto label = make_label("", {{umlauts, umlauts}});
  EXPECT_LE(label.size(), kLongestLabel);
  EXPECT_TRUE(label.ends_with("\u00fc..."));
}

TEST(StageLabel, IsOneLineWithoutControlCharacters) {
  EXPECT_EQ(make_label("a\nb", {{"x\x1b[31my\t", ""}}), "a b: x [31my");
  EXPECT_EQ(make_label("a\u009b31m", {}), "a#x9B31m");
}

}  // namespace
}  // namespace stagegate
