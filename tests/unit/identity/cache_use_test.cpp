#include "identity/cache_use.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

enum class Kept : std::uint8_t { no, yes };

RddInfo rdd(std::int64_t id, std::vector<std::int64_t> parents, Kept kept = Kept::no) {
  RddInfo info;
  info.id = id;
  info.parents = std::move(parents);
  info.persisted = kept == Kept::yes;
  return info;
}

// A stage of SQL execution EXECUTION; -1: of a job outside of any, whose id is the stage's.
StageAttempt stage(std::int32_t id, std::int64_t execution, std::vector<RddInfo> rdds) {
  StageAttempt attempt;
  attempt.id = id;
  attempt.status = StageStatus::complete;
  attempt.jobs = {id};
  if (execution >= 0) {
    attempt.sql_execution = execution;
  }
  attempt.rdds = std::move(rdds);
  return attempt;
}

StageAttempt writing_shuffle(StageAttempt attempt) {
  attempt.totals[index_of(Metric::shuffle_write_records)] = 1;
  return attempt;
}

// With the stages, which it points into.
struct UseOfStages : CacheUse {
  std::vector<StageAttempt> stages;
};

UseOfStages use_of(std::vector<StageAttempt> stages) {
  std::vector<const StageAttempt*> last;
  for (const auto& one : stages) {
    last.push_back(&one);
  }
  auto use = cache_use_of(last);
  return {std::move(use), std::move(stages)};
}

std::vector<std::size_t> reads_of(const CacheUse& use) {
  std::vector<std::size_t> counts;
  for (const auto& reads : use.reads) {
    counts.push_back(reads.size());
  }
  return counts;
}

// The RDDs of the tests: 2 scans, 6 is cached over it, the others derive from 6.
const RddInfo kScan = rdd(2, {});
const RddInfo kCached = rdd(6, {2}, Kept::yes);

TEST(CacheUse, TheFirstStageFillsAndAStageOfAnotherActionReads) {
  const auto use = use_of({writing_shuffle(stage(0, 0, {rdd(7, {6}), kScan, kCached})),  //
                           writing_shuffle(stage(1, 1, {rdd(9, {6}), kScan, kCached}))});
  EXPECT_EQ(reads_of(use), (std::vector<std::size_t>{0, 1}));
  ASSERT_EQ(use.filled.size(), 1U);
  EXPECT_EQ(use.filled[0].rdd->id, 6);
  EXPECT_EQ(use.filled[0].filled_by, 0U);
  EXPECT_TRUE(use.filled[0].is_used);
}

// With adaptive execution off, count() of a cached table fills it and reads it in the same stage.
TEST(CacheUse, ReadingItOnceAsItIsFilledIsNoUse) {
  const auto use = use_of({writing_shuffle(stage(0, 0, {rdd(7, {6}), kScan, kCached})), stage(1, 0, {rdd(8, {})})});
  EXPECT_EQ(reads_of(use), (std::vector<std::size_t>{0, 0}));
  EXPECT_FALSE(use.filled.at(0).is_used);
}

// With adaptive execution on, a job of its own fills the cache (its RDD is the cached one), and another stage of the execution reads it.
TEST(CacheUse, AJobThatOnlyFillsIsNoUseAndNoRead) {
  const auto use = use_of({stage(0, 0, {kCached, kScan}), writing_shuffle(stage(1, 0, {rdd(7, {6}), kScan, kCached}))});
  EXPECT_EQ(reads_of(use), (std::vector<std::size_t>{0, 1}));
  EXPECT_FALSE(use.filled.at(0).is_used);
  // A self-join has two such jobs, and two stages that read.
  const auto twice =
      use_of({stage(0, 0, {kCached, kScan}), stage(1, 0, {kCached, kScan}), writing_shuffle(stage(2, 0, {rdd(7, {6}), kScan, kCached})),
              writing_shuffle(stage(3, 0, {rdd(8, {6}), kScan, kCached}))});
  EXPECT_EQ(reads_of(twice), (std::vector<std::size_t>{0, 0, 1, 1}));
  EXPECT_TRUE(twice.filled.at(0).is_used);
}

TEST(CacheUse, AUnionOfATableWithItselfReadsItTwiceInOneStage) {
  const auto use = use_of({writing_shuffle(stage(0, 0, {rdd(13, {7, 10}), rdd(7, {6}), rdd(10, {6}), kScan, kCached}))});
  EXPECT_TRUE(use.filled.at(0).is_used);
}

TEST(CacheUse, WhatIsBelowAFilledCacheIsNotRead) {
  const auto outer = rdd(20, {6}, Kept::yes);
  const auto use = use_of({writing_shuffle(stage(0, 0, {rdd(7, {6}), kScan, kCached})),
                           writing_shuffle(stage(1, 1, {rdd(21, {20}), outer, kCached, kScan})),
                           writing_shuffle(stage(2, 2, {rdd(22, {20}), outer, kCached, kScan}))});
  ASSERT_EQ(use.reads[2].size(), 1U);
  EXPECT_EQ(use.reads[2][0]->id, 20);
  EXPECT_TRUE(use.filled.at(0).is_used) << "by what fills the outer one";
  EXPECT_TRUE(use.filled.at(1).is_used);
}

TEST(CacheUse, ACacheBelowWhatIsComputedAgainIsRead) {
  const auto use = use_of({stage(0, -1, {rdd(7, {6}), kScan, kCached}), stage(1, -1, {rdd(8, {7}), rdd(7, {6}), kScan, kCached})});
  EXPECT_EQ(reads_of(use), (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(use.filled.at(0).is_used);
  ASSERT_EQ(use.repeated[1].size(), 1U);
  EXPECT_EQ(use.repeated[1][0]->id, 7);
}

TEST(CacheUse, WithoutACacheTheSecondJobRepeatsWhatTheFirstOneDid) {
  const auto pairs = rdd(3, {2});
  const auto use = use_of({stage(0, -1, {rdd(4, {3}), kScan, pairs}), stage(1, -1, {rdd(5, {3}), kScan, pairs})});
  EXPECT_TRUE(use.repeated[0].empty());
  ASSERT_EQ(use.repeated[1].size(), 1U);
  EXPECT_EQ(use.repeated[1][0]->id, 3) << "the last of those that are computed again";
}

TEST(CacheUse, CountingAPersistedRddTwiceIsUseOfIt) {
  const auto use = use_of({stage(0, -1, {kCached, kScan}), stage(1, -1, {kCached, kScan})});
  EXPECT_EQ(reads_of(use), (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(use.filled.at(0).is_used);
}

TEST(CacheUse, WhatNoLongerHasAStorageLevelIsNotRead) {
  const auto use = use_of(
      {writing_shuffle(stage(0, 0, {rdd(7, {6}), kScan, kCached})), writing_shuffle(stage(1, 1, {rdd(9, {6}), kScan, rdd(6, {2})}))});
  EXPECT_EQ(reads_of(use), (std::vector<std::size_t>{0, 0}));
  EXPECT_FALSE(use.filled.at(0).is_used);
}

TEST(CacheUse, RddsInACircleEnd) {
  const auto use = use_of({stage(0, -1, {rdd(1, {2}), rdd(2, {1, 2})})});
  EXPECT_TRUE(use.filled.empty());
}

TEST(CacheUse, ASourceWithoutParentsOfRddsIsKnownByThat) {
  const auto known = stage(0, 0, {kCached, kScan});
  const auto single = stage(0, 0, {rdd(1, {})});
  const auto blind = stage(0, 0, {rdd(6, {}), rdd(2, {})});
  const StageAttempt* const none = nullptr;
  EXPECT_TRUE(knows_rdd_parents(std::vector{&known, none}));
  EXPECT_TRUE(knows_rdd_parents(std::vector{&single, none}));
  EXPECT_FALSE(knows_rdd_parents(std::vector{&blind, none}));
}

}  // namespace
}  // namespace stagegate
