#include "unit/report/stage_sample.h"

#include <utility>

namespace stagegate {
namespace {

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kStartMs = 1764438313000;  // 2025-11-29T17:45:13Z

void set_metric(StageAttempt& attempt, Metric metric, const std::vector<std::int64_t>& values) {
  attempt.winners.metrics[index_of(metric)] = PackedColumn(values);
  attempt.distributions[index_of(metric)] = distribution_of(values);
  attempt.totals[index_of(metric)] = attempt.distributions[index_of(metric)]->sum;
}

StageAttempt scan() {
  StageAttempt attempt;
  attempt.id = 0;
  attempt.name = "parquet at sales.py:4";
  attempt.status = StageStatus::complete;
  attempt.tasks = {.declared = 1, .succeeded = 1};
  attempt.accumulators = {1, 2, 3};
  attempt.winners.partitions = PackedColumn({0});
  set_metric(attempt, Metric::input_bytes, {2048});
  set_metric(attempt, Metric::input_records, {30});
  return attempt;
}

StageAttempt skipped() {
  StageAttempt attempt;
  attempt.id = 4;
  attempt.name = "count at sales.py:9";
  attempt.status = StageStatus::skipped;
  attempt.tasks.declared = 2;
  return attempt;
}

StageAttempt aggregate() {
  StageAttempt attempt;
  attempt.id = 7;
  attempt.name = "parquet at sales.py:12";
  attempt.jobs = {2, 3};
  attempt.group = "nightly";
  attempt.description = "sales by country";
  attempt.sql_execution = 5;
  attempt.submitted_ms = kStartMs;
  attempt.cores = 4;
  return attempt;
}

StageAttempt first_attempt() {
  auto attempt = aggregate();
  attempt.status = StageStatus::failed;
  attempt.failure_reason =
      "Job aborted: PythonException: Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: bad\n\n\tat X";
  attempt.tasks = {.declared = 4, .succeeded = 0, .failed = 7, .killed = 1, .speculative = 1};
  attempt.failures = {{.reason = "ExceptionFailure",
                       .error_class = "java.lang.OutOfMemoryError",
                       .message = "no room at 0x7efca0872010",
                       .count = 4,
                       .first_partition = 3,
                       .first_executor = "1"},
                      {.reason = "TaskKilled",
                       .error_class = "",
                       .message = "another attempt succeeded",
                       .count = 3,
                       .first_partition = 1,
                       .first_executor = "2"}};
  attempt.other_failures = 1;
  attempt.wasted[index_of(Metric::shuffle_read_bytes)] = 5 * kKiB;
  attempt.wasted[index_of(Metric::input_bytes)] = 0;
  return attempt;
}

void set_tasks(StageAttempt& attempt) {
  auto& tasks = attempt.winners;
  tasks.partitions = PackedColumn({3, 0, 1, 2});
  tasks.task_ids = PackedColumn({14, 11, 12, 13});
  tasks.attempt_numbers = PackedColumn({1, 0, 0, 0});
  tasks.places = PackedColumn({1, 0, 0, 1});
  set_metric(attempt, Metric::shuffle_read_bytes, {100 * kKiB, 10 * kKiB, 20 * kKiB, 30 * kKiB});
  set_metric(attempt, Metric::shuffle_read_records, {1000, 100, 200, 300});
  set_metric(attempt, Metric::input_bytes, {0, 0, 0, 0});
  set_metric(attempt, Metric::duration_ms, {1700, 20, 30, 41});
  tasks.details[index_of(TaskDetail::peak_memory)] = PackedColumn({64 * kKiB, 64 * kKiB, 64 * kKiB, 64 * kKiB});
  tasks.details[index_of(TaskDetail::shuffle_write_time_ns)] = PackedColumn({0, 400'000, 0, 0});
}

StageAttempt second_attempt() {
  auto attempt = aggregate();
  attempt.attempt = 1;
  attempt.status = StageStatus::complete;
  attempt.completed_ms = kStartMs + 2500;
  attempt.tasks = {.declared = 4, .succeeded = 4};
  attempt.resource_profile = 1;
  attempt.accumulators = {4, 5, 6, 7};
  RddInfo kept;
  kept.id = 21;
  kept.name = "totals";
  kept.persisted = true;
  kept.partitions = 4;
  kept.cached_partitions = 3;
  kept.memory_bytes = 6 * kKiB;
  RddInfo plain;
  plain.id = 20;
  plain.name = "not kept";
  attempt.rdds = {kept, plain};
  set_tasks(attempt);
  return attempt;
}

// Names and types of metrics: indices into plan_metric_names.
enum Name : std::uint32_t { kRows, kWritten, kRead, kTime, kProbes, kFiles, kSum, kSize, kNsTiming, kAverage };

SqlExecution sales_query() {
  SqlExecution execution;
  execution.id = 5;
  execution.description = "parquet at sales.py:12";
  execution.plan = plan_of(std::vector<PlanNodeDraft>{
      {.name = "HashAggregate",
       .simple_string = "HashAggregate(keys=[country#3], functions=[sum(amount#2)])",
       .children = {1},
       .accumulators = {5, 6, 7},
       .metrics = {{kRows, kSum}, {kTime, kNsTiming}, {kProbes, kAverage}},
       .metadata = {}},
      {.name = "Exchange",
       .simple_string = "Exchange hashpartitioning(country#3, 4)",
       .children = {2},
       .accumulators = {3, 4, 8},
       .metrics = {{kWritten, kSize}, {kRead, kSum}, {kFiles, kSum}},
       .metadata = {}},
      {.name = "Scan parquet",
       .simple_string = "FileScan parquet [country#3,amount#2]",
       .children = {},
       .accumulators = {1, 2},
       .metrics = {{kRows, kSum}, {kFiles, kSum}},
       .metadata = {}},
  });
  return execution;
}

}  // namespace

Application sales_application() {
  Application application;
  application.id = "app-1";
  application.name = "sales";
  application.spark_version = "4.3.0";
  application.start_ms = kStartMs;
  application.end_ms = kStartMs + 32'100;
  application.cores = 4;
  application.places = {{.executor = "1", .host = "worker-a"}, {.executor = "2", .host = "worker-b"}};
  application.stages = {scan(), skipped(), first_attempt(), second_attempt()};
  application.executions = {sales_query()};
  application.plan_metric_names = {"number of output rows",
                                   "shuffle bytes written",
                                   "records read",
                                   "time in aggregation build",
                                   "avg hash probes",
                                   "number of partitions",
                                   "sum",
                                   "size",
                                   "nsTiming",
                                   "average"};
  application.accumulator_values = {{1, 30}, {2, 1}, {3, 163'840}, {4, 1600}, {5, 12}, {6, 2'000'000'000}, {7, 40}, {8, 4}};
  application.resource_profiles = {{.id = 1, .executor = {{"cores", "4"}, {"gpu", "1"}}, .task = {{"cpus", "2.0"}}}};
  application.unpersisted_rdds = {21};
  return application;
}

std::vector<Stage> sales_stages() {
  std::vector<Stage> stages(2);
  stages[0].id = 0;
  stages[0].key = {.label = "scan sales > shuffle by country", .fingerprint = "00000000000000a0"};
  stages[1].id = 7;
  stages[1].key = {.label = "sales by country: aggregate by country", .fingerprint = "00000000000000a7"};
  return stages;
}

StageNeighbours sales_neighbours() {
  return {.reads_from = {0}, .read_by = {}};
}

}  // namespace stagegate
