#include "identity/operators.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

TEST(Operators, NamesLoseWhatVaries) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"HashAggregate", "HashAggregate"},
      {"GpuHashAggregate", "HashAggregate"},
      {"SortMergeJoin(skew=true)", "SortMergeJoin"},
      {"WholeStageCodegen (3)", "WholeStageCodegen"},
      {"CustomShuffleReader", "AQEShuffleRead"},
      {"Scan parquet db.t", "Scan"},
      {"Scan In-memory table t", "InMemoryTableScan"},
      {"Execute CreateViewCommand", "CreateViewCommand"},
      {"", ""},
  };
  for (const auto& [name, expected] : cases) {
    EXPECT_EQ(operator_name(name), expected) << name;
  }
}

Plan scan(std::string name, std::string simple_string, std::map<std::string, std::string> metadata = {}) {
  return plan_of(std::vector<PlanNodeDraft>{{.name = std::move(name),
                                             .simple_string = std::move(simple_string),
                                             .children = {},
                                             .accumulators = {1},
                                             .metadata = std::move(metadata)}});
}

std::string source_name(const Plan& plan) {
  return source_name(plan[0]);
}

std::string normal_text(const Plan& plan) {
  return normal_text(plan[0]);
}

TEST(Operators, SourcesGoByTheirTableOrPlace) {
  EXPECT_EQ(source_name(scan("Scan parquet ", "", {{"Location", "InMemoryFileIndex(1 paths)[file:/ci/lake/2026-11-29/orders]"}})),
            "orders");
  // The folders of a checkout may have any name.
  EXPECT_EQ(source_name(scan("Scan parquet ", "", {{"Location", "InMemoryFileIndex(1 paths)[file:/a, b]c/my lake/orders]"}})), "orders");
  EXPECT_EQ(source_name(scan("Scan parquet ", "", {{"Location", "InMemoryFileIndex(2 paths)[file:/a, b/orders, file:/a, b/more]"}})),
            "orders");
  EXPECT_EQ(source_name(scan("BatchScan", "BatchScan[a#1] CSVScan Location: InMemoryFileIndex[file:/a, b/people.csv], X: [y]")),
            "people.csv");
  EXPECT_EQ(source_name(scan("Scan parquet sales.orders", "", {{"Location", "CatalogFileIndex(1 paths)[file:/wh/x]"}})), "sales.orders");
  EXPECT_EQ(source_name(scan("Scan parquet spark_catalog.default.orders", "")), "orders");
  EXPECT_EQ(source_name(scan("BatchScan lake.db.orders", "")), "lake.db.orders");
  EXPECT_EQ(source_name(scan("BatchScan parquet file:/ci/lake/orders", "")), "orders");
  EXPECT_EQ(source_name(scan("BatchScan", "BatchScan[a#1] CSVScan Location: InMemoryFileIndex[file:/home/u/people.csv], X: []")),
            "people.csv");
  EXPECT_EQ(source_name(scan("BatchScan", "BatchScan[a#1] CSVScan Location: InMemoryFileIndex[file:/home/u/resources/peo..., X: []")),
            "resources");
  EXPECT_EQ(source_name(scan("Scan JDBCRelation(public.orders) [numPartitions=1]", "")), "public.orders");
  EXPECT_EQ(source_name(scan("Scan ExistingRDD", "Scan ExistingRDD[id#4]")), "rdd");
  EXPECT_EQ(source_name(scan("Range", "Range (0, 10, step=1, splits=2)")), "range");
  EXPECT_EQ(source_name(scan("LocalTableScan", "LocalTableScan [a#1]")), "local rows");
}

// Its simple string is cut at a fixed length, with the path and ids in it.
TEST(Operators, AFileScanIsWhatItsMetadataSays) {
  const std::map<std::string, std::string> metadata{{"Format", "Parquet"},
                                                    {"Location", "InMemoryFileIndex(1 paths)[file:/ci/work/lake/orders]"},
                                                    {"ReadSchema", "struct<customer_id:bigint>"},
                                                    {"PushedFilters", "[IsNotNull(customer_id)]"},
                                                    {"PartitionFilters", "[isnotnull(day#12)]"},
                                                    {"DataFilters", "[isnotnull(customer_id#1L)]"}};
  EXPECT_EQ(normal_text(scan("Scan parquet ", "FileScan parquet [customer_id#1L] Batched: true, Pu...", metadata)),
            "Scan parquet orders, ReadSchema: struct<customer_id:bigint>, PushedFilters: [IsNotNull(customer_id)], "
            "PartitionFilters: [isnotnull(day)]");
}

}  // namespace
}  // namespace stagegate
