#include "model/repeats.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/baseline.h"

namespace stagegate {
namespace {

using Runs = std::vector<std::vector<Stage>>;

Stage stage(std::int32_t id, const std::string& label, std::int64_t tasks, std::int64_t written) {
  Stage made;
  made.id = id;
  made.key = {label, "fingerprint of " + label};
  made.tasks = tasks;
  Distribution distribution;
  distribution.sum = written;
  made.metrics[index_of(Metric::shuffle_write_bytes)] = distribution;
  made.metrics[index_of(Metric::disk_spill_bytes)] = distribution;
  return made;
}

Finding finding(const std::string& rule, const Stage* stage, std::int64_t value) {
  Finding made;
  made.rule = rule;
  made.value_thousandths = value;
  made.message = "value " + std::to_string(value);
  if (stage != nullptr) {
    made.stage_label = stage->key.label;
    made.stage_fingerprint = stage->key.fingerprint;
    made.stage_id = stage->id;
  }
  return made;
}

std::string no_reason(const RepeatedStage&) {
  return {};
}

TEST(Repeats, HoldTheSmallestAndTheLargestOfWhatABaselineKeeps) {
  Runs runs{{stage(1, "a", 4, 30)}, {stage(2, "a", 5, 10)}, {stage(1, "a", 4, 20)}};
  note_repeats(runs, std::vector<RepeatedStage>{{{0, 0, 0}}}, no_reason);
  const auto& repeats = *runs[2][0].repeats;
  EXPECT_EQ(repeats.runs, 3);
  EXPECT_EQ(repeats.present, 3);
  EXPECT_EQ(repeats.tasks, Seen(4, 5));
  EXPECT_EQ(repeats.totals[index_of(Metric::shuffle_write_bytes)], Seen(10, 30));
  EXPECT_FALSE(repeats.totals[index_of(Metric::disk_spill_bytes)]) << "the heap decides";
  EXPECT_EQ(kept_of(runs[0][0]).totals[index_of(Metric::shuffle_write_bytes)], Seen(10, 30));
}

TEST(Repeats, AStageIsUnstableWhereANumberDiffersOrARunDoesNotHaveIt) {
  Runs runs{{stage(1, "same", 4, 30), stage(2, "other", 4, 30)},
            {stage(1, "same", 4, 30), stage(2, "other", 4, 31), stage(3, "late", 1, 0)}};
  const std::vector<RepeatedStage> same{{{0, 0}}, {{1, 1}}, {{std::nullopt, 2}}};
  note_repeats(runs, same, [](const RepeatedStage& row) { return "reason of row with " + std::to_string(*row.at[1]); });
  const auto unstable = unstable_stages(runs, same);
  ASSERT_EQ(unstable.size(), 2U);
  EXPECT_EQ(unstable[0].stage_label, "other");
  EXPECT_EQ(unstable[0].stage_id, 2);
  EXPECT_EQ(unstable[0].repeats.reason, "reason of row with 1");
  EXPECT_EQ(unstable[1].stage_label, "late");
  EXPECT_EQ(unstable[1].stage_id, -1) << "the run that is shown does not have it";
  EXPECT_EQ(unstable[1].repeats.present, 1);
  EXPECT_EQ(runs[0][0].repeats->reason, "") << "nobody asks for the cause of what is stable";
}

TEST(Repeats, ARunAloneHasNothingThatDiffers) {
  const Runs runs{{stage(1, "a", 4, 30)}};
  EXPECT_TRUE(unstable_stages(runs, std::vector<RepeatedStage>{{{0}}}).empty());
}

TEST(MergedFindings, AreThereOnceWithTheWorstValueAndTheStageOfTheFirstRun) {
  const Runs runs{{stage(1, "a", 4, 0)}, {stage(7, "a renamed", 4, 0)}, {stage(1, "a", 4, 0)}};
  const std::vector<std::vector<Finding>> findings{
      {finding("skew", &runs[0][0], 5000)}, {finding("skew", &runs[1][0], 9000)}, {finding("skew", &runs[2][0], 7000)}};
  const auto merged = merge_findings(findings, runs, std::vector<RepeatedStage>{{{0, 0, 0}}});
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_EQ(merged[0].value_thousandths, 9000);
  EXPECT_EQ(merged[0].least_thousandths, 5000);
  EXPECT_EQ(merged[0].message, "value 9000");
  EXPECT_EQ(merged[0].stage_label, "a");
  EXPECT_EQ(merged[0].stage_id, 1);
  EXPECT_EQ(merged[0].fired_runs, 3);
  EXPECT_EQ(merged[0].runs, 3);
}

TEST(MergedFindings, OfSomeRunsOnlyCountToo) {
  const Runs runs{{stage(1, "a", 4, 0)}, {stage(7, "a renamed", 4, 0), stage(8, "late", 4, 0)}};
  const std::vector<std::vector<Finding>> findings{
      {finding("total", nullptr, 1)},
      {finding("skew", &runs[1][0], 9000), finding("skew", &runs[1][1], 6000), finding("total", nullptr, 3)}};
  const auto merged = merge_findings(findings, runs, std::vector<RepeatedStage>{{{0, 0}}, {{std::nullopt, 1}}});
  ASSERT_EQ(merged.size(), 3U);
  EXPECT_EQ(merged[0].rule, "total");
  EXPECT_EQ(merged[0].value_thousandths, 3);
  EXPECT_EQ(merged[1].stage_label, "a") << "as the first run calls it";
  EXPECT_EQ(merged[1].stage_id, 1);
  EXPECT_EQ(merged[1].fired_runs, 1);
  EXPECT_EQ(merged[2].stage_label, "late");
  EXPECT_EQ(merged[2].stage_id, -1);
}

}  // namespace
}  // namespace stagegate
