#include "identity/normal_text.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

// Left: as Spark 3.1 to 4.3 wrote it in real logs. Right: what stays.
TEST(NormalText, StripsWhatSparkNumbersAnew) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"Filter (isnotnull(customer_id#1L) AND isnotnull(product_id#2L))", "Filter (isnotnull(customer_id) AND isnotnull(product_id))"},
      {"Exchange hashpartitioning(country_id#4, 200), ENSURE_REQUIREMENTS, [plan_id=54]",
       "Exchange hashpartitioning(country_id), ENSURE_REQUIREMENTS"},
      {"Exchange hashpartitioning(country_id#4, 200), true, [id=#70]", "Exchange hashpartitioning(country_id), true"},
      {"Exchange RoundRobinPartitioning(3), REPARTITION_BY_NUM, [plan_id=105]", "Exchange RoundRobinPartitioning(), REPARTITION_BY_NUM"},
      {"Exchange rangepartitioning(d#7 ASC NULLS FIRST, n#4L ASC NULLS FIRST, 40), ENSURE_REQUIREMENTS",
       "Exchange rangepartitioning(d ASC NULLS FIRST, n ASC NULLS FIRST), ENSURE_REQUIREMENTS"},
      {"*(3) HashAggregate(keys=[a#1], functions=[sum(b#2L)])", "HashAggregate(keys=[a], functions=[sum(b)])"},
      {"GpuFilter gpuisnotnull(w#682)", "Filter gpuisnotnull(w)"},
      {"Range (0, 100000, step=1, splits=2)", "Range (0, 100000, step=1)"},
      {"Sample 0.0, 0.1, false, -8484", "Sample 0.0, 0.1, false"},
      {"Project [rand(-2533574557925705795) AS r#3, uuid(Some(1)) AS u#4]", "Project [rand() AS r, uuid(Some(1)) AS u]"},
      {"InMemoryTableScan [a#1], CachedRDDBuilder(DefaultCachedBatchSerializer@3bd0a3bf)",
       "InMemoryTableScan [a], CachedRDDBuilder(DefaultCachedBatchSerializer)"},
      {"MapElements com.x.Job$$Lambda$1571/993650587@7be7c052, obj#31: scala.Tuple2", "MapElements com.x.Job$$Lambda, obj: scala.Tuple2"},
      {"Subquery subquery#850, [id=#164]", "Subquery subquery"},
      {"TakeOrderedAndProject(limit=20, orderBy=[n#23 DESC NULLS LAST], output=[a#9L])",
       "TakeOrderedAndProject(limit=20, orderBy=[n DESC NULLS LAST], output=[a])"},
      {"Execute InsertIntoHadoopFsRelationCommand file:/ci/work/runs/on-1/out, false, Parquet, [path=runs/on-1/out], Overwrite, [a]",
       "Execute InsertIntoHadoopFsRelationCommand out, false, Parquet, [path=out], Overwrite, [a]"},
      {"Execute InsertIntoHadoopFsRelationCommand file:/a, b/my runs/out, false, Parquet, [path=/a, b/my runs/out, x=1], Overwrite, [a]",
       "Execute InsertIntoHadoopFsRelationCommand out, false, Parquet, [path=out, x=1], Overwrite, [a]"},
  };
  for (const auto& [text, normal] : cases) {
    EXPECT_EQ(normal_text(text), normal);
  }
}

TEST(NormalText, IsTheSameForJoinsOfAllVersions) {
  EXPECT_EQ(normal_text("BroadcastHashJoin [a#1], [b#2], Inner, BuildRight, false, false"),
            normal_text("BroadcastHashJoin [a#11], [b#12], Inner, BuildRight"));
  EXPECT_EQ(normal_text("SortMergeJoin(skew=true) [a#1], [b#2], Inner"), normal_text("SortMergeJoin [a#1], [b#2], Inner"));
  EXPECT_EQ(normal_text("Sort [a#1 ASC NULLS FIRST], false, 0"), "Sort [a ASC NULLS FIRST], false, 0");
}

// The same filter, cut at the same length, with ids of other lengths in it.
TEST(NormalText, DropsTheElementThatWasCutOff) {
  const std::string head = "FileScan csv [a#1] DataFilters: [isnotnull(order_id#1L), ";
  EXPECT_EQ(normal_text(head + "isnotnull(custome..., Format: CSV"), normal_text(head + "isnotnull(cus..., Format: CSV"));
  EXPECT_EQ(normal_text("X [a#1, (b#2 IN (1,2,3..., Y: []"), normal_text("X [a#1, (b#2 IN (1,..., Y: []"));
  EXPECT_EQ(normal_text("Project [a#1, b#2, ... 3 more fields]"), "Project [a, b]");
  EXPECT_EQ(normal_text("a, b..."), "a");
  EXPECT_EQ(normal_text("..."), "");
}

TEST(NormalText, TakesAnyBytes) {
  for (const auto* const text :
       {"", "#", "#L", "@", "[plan_id=", "rand(", "hashpartitioning(", "*(", "Sample ", "Range, splits=", "]]))", "((["}) {
    EXPECT_LE(normal_text(text).size(), std::string(text).size()) << text;
  }
}

TEST(NormalText, CutsListsAtCommasOutsideOfBrackets) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(elements_of("[a, f(b, c), [d, e]]"), (Texts{"a", "f(b, c)", "[d, e]"}));
  EXPECT_EQ(elements_of("[a], [b]"), (Texts{"[a]", "[b]"}));
  EXPECT_EQ(elements_of("[]"), Texts{});
  EXPECT_EQ(arguments_of("SortMergeJoin [a, b], [c, d], Inner"), (Texts{"[a, b]", "[c, d]", "Inner"}));
  EXPECT_EQ(arguments_of("HashAggregate(keys=[a, b], functions=[sum(c)])"), (Texts{"keys=[a, b]", "functions=[sum(c)]"}));
  EXPECT_EQ(arguments_of("Union"), Texts{});
}

}  // namespace
}  // namespace stagegate
