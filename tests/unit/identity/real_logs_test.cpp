// Over event logs of real runs, where they lie beside the repository; skipped elsewhere.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "identity/identify.h"
#include "ingest/read_log.h"
#include "model/pool_attempts.h"
#include "sys/file.h"

namespace stagegate {
namespace {

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::vector<Stage> stages_of(const Result<Application>& application) {
  EXPECT_TRUE(application) << application.error().message;
  if (!application) {
    return {};
  }
  auto stages = pool_attempts(*application);
  identify(*application, stages);
  return stages;
}

std::vector<Stage> stages_of_file(const std::string& path) {
  auto source = open_file(path);
  EXPECT_TRUE(source) << source.error().message;
  return source ? stages_of(read_log_file(std::move(*source), base_name(path))) : std::vector<Stage>();
}

std::vector<Stage> stages_of_folder(const std::string& path) {
  return stages_of(read_log_folder(*open_folder(path), base_name(path)));
}

// The numbers that are the same in every run of a job, whatever the machine and the version.
std::vector<std::int64_t> size_of(const Stage& stage) {
  std::vector<std::int64_t> size{stage.tasks};
  for (const auto metric : {Metric::input_records, Metric::shuffle_read_records, Metric::shuffle_write_records, Metric::shuffle_read_bytes,
                            Metric::shuffle_write_bytes}) {
    const auto& distribution = stage.metrics[index_of(metric)];
    size.push_back(distribution ? distribution->sum : -1);
  }
  return size;
}

std::vector<StageKey> keys_of(const std::vector<Stage>& stages) {
  std::vector<StageKey> keys;
  for (const auto& stage : stages) {
    keys.push_back(stage.key);
  }
  return keys;
}

using BySize = std::map<std::pair<std::string, std::string>, std::vector<std::int64_t>>;

BySize by_key(const std::vector<Stage>& stages) {
  BySize result;
  for (const auto& stage : stages) {
    result[{stage.key.fingerprint, stage.key.label}] = size_of(stage);
  }
  return result;
}

class RevenueLogs : public testing::TestWithParam<std::pair<std::string, std::string>> {
 protected:
  void SetUp() override {
    if (!is_folder(logs())) {
      GTEST_SKIP() << "no logs of real runs here";
    }
  }
  static std::string logs() { return STAGEGATE_CORPUS "/corpus/logs/revenue"; }
};

TEST_P(RevenueLogs, StagesHaveTheSameKeysAndTheSameBytes) {
  const auto& [one, other] = GetParam();
  const auto before = stages_of_folder(logs() + "/" + one);
  const auto after = stages_of_folder(logs() + "/" + other);
  EXPECT_EQ(before.size(), 6U);
  EXPECT_EQ(by_key(before), by_key(after));
}

INSTANTIATE_TEST_SUITE_P(AcrossRunsAndVersions, RevenueLogs,
                         testing::Values(std::pair("adaptive", "adaptive-repeat"), std::pair("adaptive", "adaptive-spark-3.5"),
                                         std::pair("adaptive", "adaptive-spark-4.3"), std::pair("adaptive", "adaptive-call-sites"),
                                         std::pair("off", "off-spark-3.5"), std::pair("off", "off-spark-4.3"),
                                         std::pair("off", "off-quick-jvm"), std::pair("off", "off-call-sites")));

TEST_F(RevenueLogs, AdaptiveExecutionMovesNoKey) {
  const auto on = keys_of(stages_of_folder(logs() + "/adaptive"));
  const auto off = keys_of(stages_of_folder(logs() + "/off"));
  std::set<std::string> labels_on;
  std::set<std::string> labels_off;
  for (std::size_t i = 0; i < on.size(); ++i) {
    labels_on.insert(on[i].fingerprint + on[i].label);
  }
  for (std::size_t i = 0; i < off.size(); ++i) {
    labels_off.insert(off[i].fingerprint + off[i].label);
  }
  EXPECT_EQ(labels_on, labels_off);
}

TEST_F(RevenueLogs, LabelsAreForPeople) {
  std::set<std::string> labels;
  for (const auto& stage : stages_of_folder(logs() + "/adaptive")) {
    labels.insert(stage.key.label);
  }
  const std::string job = "join orders to customers, revenue by country: ";
  EXPECT_EQ(labels, (std::set<std::string>{
                        "read parquet schema",
                        "read parquet schema (2)",
                        job + "scan orders_with_guests > shuffle by customer_id",
                        job + "scan customers > shuffle by customer_id",
                        job + "join on customer_id > partial aggregate by country_id",
                        job + "aggregate by country_id > write parquet to out",
                    }));
}

std::set<std::pair<std::int32_t, std::int32_t>> matched_ids(const std::string& folder) {
  const auto before = stages_of_file(folder + "/before.zst");
  const auto after = stages_of_file(folder + "/after.zst");
  const auto matches = match_stages(keys_of(before), keys_of(after));
  std::set<std::pair<std::int32_t, std::int32_t>> ids;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    if (matches[i]) {
      ids.emplace(before[*matches[i]].id, after[i].id);
    }
  }
  return ids;
}

// The true pairs, from the scripts of the jobs: every stage keeps its number here but the siblings that are listed.
std::set<std::pair<std::int32_t, std::int32_t>> truth(const std::vector<std::pair<std::int32_t, std::int32_t>>& pairs) {
  return {pairs.begin(), pairs.end()};
}

TEST(PairsOfRuns, AnRddJobWhoseLinesMovedMatches) {
  const std::string folder = STAGEGATE_CORPUS "/pairs/visible/p02_lines_moved";
  if (!is_folder(folder)) {
    GTEST_SKIP() << "no logs of real runs here";
  }
  EXPECT_EQ(matched_ids(folder), truth({{0, 0}, {1, 1}, {3, 3}, {4, 5}, {6, 6}, {7, 7}, {11, 11}, {15, 15}, {16, 16}, {20, 17}, {21, 21}}));
}

TEST(PairsOfRuns, SiblingsThatSwappedNumbersInThreeActionsMatch) {
  const std::string folder = STAGEGATE_CORPUS "/pairs/visible/p01_repeat";
  if (!is_folder(folder)) {
    GTEST_SKIP() << "no logs of real runs here";
  }
  const auto before = stages_of_file(folder + "/before.zst");
  const auto after = stages_of_file(folder + "/after.zst");
  EXPECT_EQ(before.size(), 21U);
  EXPECT_EQ(by_key(before), by_key(after));
}

}  // namespace
}  // namespace stagegate
