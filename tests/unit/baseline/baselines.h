// A baseline written out by hand.
#pragma once

#include "model/baseline.h"

namespace stagegate::test {

inline Baseline revenue_baseline() {
  Baseline baseline;
  baseline.job = "revenue";
  baseline.variant = "adaptive-off";
  baseline.conditions.spark = "4.1";
  baseline.conditions.cores = 4;
  baseline.conditions.conf = {{"spark.sql.adaptive.enabled", "false"}, {"spark.sql.shuffle.partitions", "200"}};
  baseline.conditions.source_records = {{"scan customers > shuffle by id", 50001}, {"scan orders > shuffle by id", 1000000}};
  baseline.findings = {{.rule = "skew",
                        .stage_label = "join orders, customers on id",
                        .stage_fingerprint = "a74a61cef1b4c7b2",
                        .value_thousandths = 412345,
                        .unit = ValueUnit::ratio},
                       {.rule = "small-tasks",
                        .stage_label = "aggregate by country > write parquet to out",
                        .stage_fingerprint = "ecc362105f72747c",
                        .value_thousandths = 200000,
                        .unit = ValueUnit::count}};
  BaselineStage result{
      .key = {.label = "aggregate by country > write parquet to out", .fingerprint = "ecc362105f72747c"}, .tasks = 200, .totals = {}};
  result.totals[index_of(Metric::output_bytes)] = 20465;
  result.totals[index_of(Metric::output_records)] = 30;
  result.totals[index_of(Metric::shuffle_read_bytes)] = 348031;
  result.purpose = "call parquet";
  result.work = {"Sort [country ASC NULLS FIRST], true, 0", "to result"};
  result.producers = {"a74a61cef1b4c7b2"};
  BaselineStage bare{.key = {.label = "read parquet schema", .fingerprint = "0d1635b65af14290"}, .tasks = 1, .totals = {}};
  baseline.stages = {result, bare};
  baseline.actions = {{"0d1635b65af14290"}, {"a74a61cef1b4c7b2", "ecc362105f72747c"}};
  return baseline;
}

}  // namespace stagegate::test
