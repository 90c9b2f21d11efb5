#include "identity/align_runs.h"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

using Row = std::vector<std::optional<std::size_t>>;
using Graph = std::vector<StageTraits>;

StageTraits stage(const std::string& fingerprint, const std::string& work, std::vector<std::size_t> producers = {}) {
  StageTraits traits;
  traits.key = {work, fingerprint};
  traits.purpose = "for report";
  traits.work = {work, "to shuffle Exchange hashpartitioning(id)"};
  traits.producers = std::move(producers);
  traits.action = 0;
  return traits;
}

std::vector<Row> rows_of(const std::vector<Graph>& runs) {
  std::vector<Row> rows;
  for (const auto& row : align_runs(runs)) {
    rows.push_back(row.at);
  }
  return rows;
}

TEST(AlignRuns, StagesAreTheSameWhereTheirFingerprintsAreInWhateverOrder) {
  const Graph one{stage("f1", "Scan orders"), stage("f2", "Scan customers")};
  const Graph other{stage("f2", "Scan customers"), stage("f1", "Scan orders")};
  EXPECT_EQ(rows_of({one, other, one}), (std::vector<Row>{{0, 1, 0}, {1, 0, 1}}));
}

TEST(AlignRuns, AStageWhoseFingerprintChangedIsFoundByItsPlace) {
  const Graph one{stage("f1", "Scan orders"), stage("f2", "Filter a, b, c", {0}), stage("f3", "Sort", {1})};
  const Graph other{stage("f1", "Scan orders"), stage("g2", "Filter a, b, d", {0}), stage("f3", "Sort", {1})};
  EXPECT_EQ(rows_of({one, other}), (std::vector<Row>{{0, 0}, {1, 1}, {2, 2}}));
}

TEST(AlignRuns, StagesOfLaterRunsOnlyHaveRowsOfTheirOwn) {
  const Graph one{stage("f1", "Scan orders")};
  auto late = stage("f9", "MapInPandas clean");
  late.purpose = "for another";
  late.action = 7;
  const Graph more{stage("f1", "Scan orders"), late};
  EXPECT_EQ(rows_of({one, more, more}), (std::vector<Row>{{0, 0, 0}, {std::nullopt, 1, 1}}));
}

TEST(AlignRuns, ARunAloneIsItself) {
  EXPECT_EQ(rows_of({{stage("f1", "Scan orders")}}), (std::vector<Row>{{0}}));
  EXPECT_TRUE(rows_of({}).empty());
}

}  // namespace
}  // namespace stagegate
