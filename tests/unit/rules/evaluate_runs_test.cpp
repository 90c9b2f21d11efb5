// Rules that compare: with the accepted run, with the run as a whole, with other runs of the same job.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "rules/evaluate.h"
#include "unit/rules/evaluating.h"

namespace stagegate {
namespace {

using testing::findings_of;
using testing::names_of;
using testing::only;
using testing::stage_named;
using testing::stage_with;

TEST(Evaluate, GrowthComparesWithTheAcceptedStage) {
  const auto rules = *load_rules({});
  auto grown = stage_named("aggregate");
  grown.metrics[index_of(Metric::shuffle_write_bytes)] = distribution_of({5 << 20, 5 << 20, 5 << 20, 5 << 20});
  grown.metrics[index_of(Metric::shuffle_read_bytes)] = distribution_of({0, 0, 0, 0});
  BaselineStage accepted;
  accepted.totals[index_of(Metric::shuffle_write_bytes)] = 16 << 20;
  accepted.totals[index_of(Metric::shuffle_read_bytes)] = 0;
  const auto findings = findings_of(rules, {grown, grown}, {&accepted, nullptr});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "growth");
  EXPECT_EQ(findings[0].value_thousandths, 25000);
  EXPECT_EQ(findings[0].unit, ValueUnit::percent);
  EXPECT_TRUE(findings[0].compares_with_baseline);
  EXPECT_EQ(findings[0].message,
            "moves 25 % more than was accepted; shuffle write 16 MiB -> 20 MiB (limits: 0.1 of the accepted bytes, 1 MiB)");
}

// The run's and the accepted run's sums are those of STAGES and of ACCEPTED.
std::vector<Finding> findings_against(const std::vector<Stage>& stages, const std::vector<BaselineStage>& accepted,
                                      const std::vector<const BaselineStage*>& partners) {
  const auto rules = *load_rules({});
  const AcceptedRun run{.stages = accepted, .partners = partners};
  const auto findings = evaluate(configure(rules, {}, "job", "variant"), {.stages = stages}, &run);
  EXPECT_TRUE(findings) << findings.error().message;
  return findings.value_or(std::vector<Finding>());
}

TEST(Evaluate, NewShuffleSpeaksOfStagesThatTheAcceptedRunDoesNotHave) {
  const auto fresh = stage_with(Metric::shuffle_read_bytes, {2 << 20, 2 << 20}, "sort by day");
  const auto known = stage_with(Metric::shuffle_read_bytes, {3 << 20, 3 << 20}, "aggregate");
  const auto kept = kept_of(known);
  const auto findings = findings_against({fresh, known}, {kept}, {nullptr, &kept});
  ASSERT_EQ(names_of(findings), (std::vector<std::string>{"new-shuffle @ sort by day"}));
  EXPECT_EQ(findings[0].level, Level::error);
  EXPECT_TRUE(findings[0].compares_with_baseline);
  EXPECT_EQ(findings[0].message, "reads 4 MiB of shuffle that was not there in the baseline; the run 6 MiB -> 10 MiB (limit 1 MiB)");
}

TEST(Evaluate, NoStageIsNewWithoutAnAcceptedRun) {
  EXPECT_TRUE(findings_of(only("new-shuffle"), {stage_with(Metric::shuffle_read_bytes, {2 << 20, 2 << 20})}).empty());
}

TEST(Evaluate, EveryStageIsNewToAnAcceptedRunWithoutStages) {
  const auto findings = findings_against({stage_with(Metric::shuffle_read_bytes, {2 << 20, 2 << 20})}, {}, {nullptr});
  EXPECT_TRUE(findings.empty()) << "nothing is known of the shuffle of such a run";
}

TEST(Evaluate, LostBroadcastSaysWhatIsJoinedAndSilencesNewShuffle) {
  auto merged = stage_with(Metric::shuffle_read_bytes, {2 << 20, 2 << 20}, "join orders, customers");
  merged.plan.counts[index_of(PlanCount::broadcast_joins)] = 0;
  merged.plan.counts[index_of(PlanCount::shuffled_joins)] = 1;
  merged.plan.joins = "join orders, customers on customer_id";
  BaselineStage was{.key = {"scan orders", "1"}, .tasks = 4, .totals = {}};
  was.totals[index_of(Metric::shuffle_read_bytes)] = 0;
  was.plan[index_of(PlanCount::broadcast_joins)] = 1;
  was.plan[index_of(PlanCount::shuffled_joins)] = 0;
  const auto findings = findings_against({merged}, {was}, {nullptr});
  ASSERT_EQ(names_of(findings), (std::vector<std::string>{"lost-broadcast @ join orders, customers"}));
  EXPECT_EQ(findings[0].message,
            "joins by a shuffle: join orders, customers on customer_id; broadcast joins of the run 1 -> 0, shuffled ones 0 -> 1");
}

TEST(Evaluate, LostCacheSaysWhatIsReadAgain) {
  auto again = stage_with(Metric::input_records, {600000, 400000}, "scan orders");
  again.plan.counts[index_of(PlanCount::cache_reads)] = 0;
  again.plan.counts[index_of(PlanCount::repeated_reads)] = 1;
  again.plan.repeated = "orders";
  BaselineStage was{.key = {"scan cache", "1"}, .tasks = 2, .totals = {}};
  was.plan[index_of(PlanCount::cache_reads)] = 1;
  was.plan[index_of(PlanCount::repeated_reads)] = 0;
  const auto findings = findings_against({again}, {was}, {&was});
  ASSERT_EQ(names_of(findings), (std::vector<std::string>{"lost-cache @ scan orders"}));
  EXPECT_EQ(findings[0].level, Level::error);
  EXPECT_TRUE(findings[0].compares_with_baseline);
  EXPECT_EQ(findings[0].message, "reads again what an earlier stage has read: orders (1,000,000 records); reads of caches 1 -> 0");
}

TEST(Evaluate, CacheUnusedNamesTheCaches) {
  auto stage = stage_named("scan orders > fill cache");
  stage.plan.counts[index_of(PlanCount::unused_caches)] = 2;
  stage.plan.unused_caches = "table big; rows of orders";
  const auto findings = findings_of(*load_rules({}), {stage});
  ASSERT_EQ(names_of(findings), (std::vector<std::string>{"cache-unused @ scan orders > fill cache"}));
  EXPECT_EQ(findings[0].level, Level::warning);
  EXPECT_FALSE(findings[0].compares_with_baseline);
  EXPECT_EQ(findings[0].message, "no later action reads what it caches: table big; rows of orders (2, limit 0)");
}

TEST(Evaluate, AGroupThatWasLeftSetIsAFindingOfTheRun) {
  const auto rules = only("job-group-left-set");
  const auto configured = configure(rules, {}, "job", "variant");
  const std::vector<Stage> stages{stage_named("one")};
  RunFacts facts{.ended = true, .left_group = LeftGroup{"write", 2, "parquet at job.py", "count at job.py"}};
  const auto findings = evaluate(configured, {.stages = stages, .facts = facts}, nullptr);
  ASSERT_TRUE(findings);
  ASSERT_EQ(findings->size(), 1U);
  EXPECT_EQ(findings->front().message,
            "job group 'write' covers the last 2 actions, from parquet at job.py to count at job.py, and is never taken away");
  facts.left_group.reset();
  EXPECT_TRUE(evaluate(configured, {.stages = stages, .facts = facts}, nullptr)->empty());
  EXPECT_TRUE(evaluate(configured, {.stages = stages}, nullptr)->empty());
}

Stage repeated_stage(const std::string& label, Seen records, std::vector<std::size_t> producers, const std::string& reason = "") {
  auto stage = stage_named(label);
  auto repeats = std::make_shared<StageRepeats>();
  repeats->runs = repeats->present = 3;
  repeats->totals[index_of(Metric::shuffle_write_records)] = records;
  repeats->reason = reason;
  stage.repeats = std::move(repeats);
  stage.producers = std::move(producers);
  return stage;
}

TEST(Evaluate, UnstableInputSpeaksOfTheStagesWhereItStartsAndOfTheCause) {
  const auto findings =
      findings_of(only("unstable-input"), {
                                              repeated_stage("scan", 1000, {}),
                                              repeated_stage("draw", {990, 1010}, {0}, "Filter has rand() without a seed"),
                                              repeated_stage("count", 100, {1}),
                                              repeated_stage("join", {5, 7}, {0, 2}),
                                              repeated_stage("apart", {1, 2}, {0}),
                                          });
  EXPECT_EQ(names_of(findings), (std::vector<std::string>{"unstable-input @ draw", "unstable-input @ apart"}));
  EXPECT_EQ(findings[0].message, "differs between the 3 runs by 2.02 %; shuffle write records by 20; Filter has rand() without a seed");
  EXPECT_EQ(findings[1].message, "differs between the 3 runs by 100 %; shuffle write records by 1");
  EXPECT_TRUE(findings[0].compares_runs);
  EXPECT_FALSE(can_be_accepted(findings[0]));
  EXPECT_EQ(findings[0].level, Level::warning);
}

TEST(Evaluate, ARunAloneIsNeverUnstable) {
  EXPECT_TRUE(findings_of(only("unstable-input"), {stage_with(Metric::shuffle_write_records, {1, 2, 3})}).empty());
}

}  // namespace
}  // namespace stagegate
