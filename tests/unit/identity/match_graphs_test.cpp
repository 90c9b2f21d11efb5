#include "identity/match_graphs.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

using Lines = std::vector<std::string>;
using Graph = std::vector<StageTraits>;
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

struct Spec {
  std::string purpose = "call collect";
  Lines work;
  std::vector<std::size_t> producers = {};
  std::int64_t action = 0;
  std::int64_t bytes = 1000;
};

StageTraits stage(Spec spec) {
  StageTraits traits;
  traits.purpose = std::move(spec.purpose);
  traits.work = std::move(spec.work);
  traits.producers = std::move(spec.producers);
  traits.action = spec.action;
  traits.amounts[4] = spec.bytes;
  return traits;
}

Lines scan(const std::string& table) {
  return {"Scan parquet " + table + ", ReadSchema: struct<id:bigint,k:bigint,v:string>", "Filter isnotnull(id)",
          "to shuffle Exchange hashpartitioning(id)"};
}

Lines join() {
  return {"SortMergeJoin [id], [id], Inner", "Project [k, v]", "HashAggregate(keys=[k], functions=[partial_sum(v)])",
          "to shuffle Exchange hashpartitioning(k)"};
}

Pairs pairs(const std::vector<StageMatch>& matches) {
  Pairs result;
  for (const auto& match : matches) {
    result.emplace_back(match.before, match.after);
  }
  return result;
}

TEST(MatchGraphs, SiblingsMaySwapTheirNumbers) {
  const Graph before{stage({.work = scan("orders")}), stage({.work = scan("customers")}), stage({.work = join(), .producers = {0, 1}})};
  const Graph after{stage({.work = scan("customers")}), stage({.work = scan("orders")}), stage({.work = join(), .producers = {0, 1}})};
  const auto matches = match_graphs(before, after);
  EXPECT_EQ(pairs(matches), (Pairs{{1, 0}, {0, 1}, {2, 2}}));
  for (const auto& match : matches) {
    EXPECT_EQ(match.basis, MatchBasis::same_lineage);
    EXPECT_FALSE(match.ambiguous);
  }
}

TEST(MatchGraphs, EqualWorkIsToldApartByWhatItReadsFrom) {
  const Lines count{"HashAggregate(keys=[], functions=[count(1)])", "to result"};
  const Graph before{stage({.work = scan("a")}), stage({.work = count, .producers = {0}}), stage({.work = scan("b")}),
                     stage({.work = count, .producers = {2}})};
  const Graph after{stage({.work = scan("b")}), stage({.work = count, .producers = {0}}), stage({.work = scan("a")}),
                    stage({.work = count, .producers = {2}})};
  EXPECT_EQ(pairs(match_graphs(before, after)), (Pairs{{2, 0}, {3, 1}, {0, 2}, {1, 3}}));
}

TEST(MatchGraphs, EqualWorkIsToldApartByItsAmounts) {
  const Graph before{stage({.work = scan("a"), .bytes = 7}), stage({.work = scan("a"), .bytes = 70})};
  const Graph after{stage({.work = scan("a"), .bytes = 70}), stage({.work = scan("a"), .bytes = 7})};
  EXPECT_EQ(pairs(match_graphs(before, after)), (Pairs{{1, 0}, {0, 1}}));
}

TEST(MatchGraphs, WhatNobodyCanTellApartIsSaidToBeAmbiguous) {
  const Graph run{stage({.work = scan("a")}), stage({.work = scan("a")}), stage({.work = scan("b")})};
  const auto matches = match_graphs(run, run);
  ASSERT_EQ(pairs(matches), (Pairs{{0, 0}, {1, 1}, {2, 2}}));
  EXPECT_TRUE(matches[0].ambiguous);
  EXPECT_TRUE(matches[1].ambiguous);
  EXPECT_FALSE(matches[2].ambiguous);
}

TEST(MatchGraphs, ARenamedPurposePartsNobody) {
  const Graph before{stage({.purpose = "for refunds", .work = scan("a")})};
  const Graph after{stage({.purpose = "for returns", .work = scan("a")})};
  const auto matches = match_graphs(before, after);
  ASSERT_EQ(pairs(matches), (Pairs{{0, 0}}));
  EXPECT_EQ(matches[0].basis, MatchBasis::renamed);
}

TEST(MatchGraphs, AChangedStageIsFoundBetweenItsNeighbours) {
  auto changed = join();
  changed.insert(changed.begin() + 1, "Filter (v > 3)");
  const Graph before{stage({.work = scan("orders")}), stage({.work = scan("customers")}), stage({.work = join(), .producers = {0, 1}})};
  const Graph after{stage({.work = scan("orders")}), stage({.work = scan("customers")}), stage({.work = changed, .producers = {0, 1}})};
  const auto matches = match_graphs(before, after);
  ASSERT_EQ(pairs(matches), (Pairs{{0, 0}, {1, 1}, {2, 2}}));
  EXPECT_EQ(matches[2].basis, MatchBasis::neighbours);
  EXPECT_LT(matches[2].likeness, 1.0);
}

TEST(MatchGraphs, ANewStageIsNotTakenForAnOldOne) {
  const Lines python{"ArrowEvalPython [score(v)]", "BatchEvalPython", "to result"};
  const Graph before{stage({.work = scan("orders")})};
  const Graph after{stage({.work = scan("orders")}), stage({.work = python, .action = 9, .bytes = 5})};
  EXPECT_EQ(pairs(match_graphs(before, after)), (Pairs{{0, 0}}));
}

// One table is dropped at the begin and another one added at the end: that is no table renamed.
TEST(MatchGraphs, WhatStandsElsewhereIsAnotherStage) {
  const Graph before{stage({.work = scan("south"), .action = 1, .bytes = 950}), stage({.work = scan("east"), .action = 2}),
                     stage({.work = join(), .producers = {1}, .action = 2})};
  const Graph after{stage({.work = scan("east"), .action = 1}), stage({.work = join(), .producers = {0}, .action = 1}),
                    stage({.work = scan("west"), .action = 2, .bytes = 710})};
  EXPECT_EQ(pairs(match_graphs(before, after)), (Pairs{{1, 0}, {2, 1}}));
}

TEST(MatchGraphs, AStageHasOnePartnerAtMost) {
  const Graph one{stage({.work = scan("a")})};
  const Graph two{stage({.work = scan("a")}), stage({.work = scan("a")})};
  EXPECT_EQ(match_graphs(one, two).size(), 1U);
  EXPECT_EQ(match_graphs(two, one).size(), 1U);
}

TEST(MatchGraphs, NothingMatchesNothing) {
  const Graph some{stage({.work = scan("a")}), stage({.work = {}})};
  EXPECT_TRUE(match_graphs({}, {}).empty());
  EXPECT_TRUE(match_graphs({}, some).empty());
  EXPECT_TRUE(match_graphs(some, {}).empty());
  EXPECT_EQ(match_graphs(some, some).size(), 2U);
}

TEST(MatchGraphs, VeryManyStagesThatAreAllAlikeTakeNoTime) {
  Graph before;
  Graph after;
  for (int i = 0; i < 5000; ++i) {
    before.push_back(stage({.work = scan("t" + std::to_string(i)), .action = i}));
    after.push_back(stage({.work = scan("u" + std::to_string(i)), .action = i}));
  }
  EXPECT_LE(match_graphs(before, after).size(), 5000U);
}

}  // namespace
}  // namespace stagegate
