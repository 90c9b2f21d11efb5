#include "unit/report/samples.h"

#include <utility>

namespace stagegate {
namespace {

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kMiB = 1024 * kKiB;

StageAttempt attempt_of(std::int32_t id, std::int64_t succeeded, std::int64_t declared) {
  StageAttempt attempt;
  attempt.id = id;
  attempt.name = "parquet at NativeMethodAccessorImpl.java:0";
  attempt.status = StageStatus::complete;
  attempt.tasks.succeeded = succeeded;
  attempt.tasks.declared = declared;
  return attempt;
}

void set_total(StageAttempt& attempt, Metric metric, std::int64_t bytes) {
  attempt.totals[index_of(metric)] = bytes;
}

void set_times(StageAttempt& attempt, Quarters median, std::int64_t slowest_ms) {
  Distribution times;
  times.count = 1;
  times.median = median;
  times.max = slowest_ms;
  attempt.distributions[index_of(Metric::duration_ms)] = times;
}

StageAttempt failed_join() {
  auto attempt = attempt_of(2, 198, 200);
  attempt.status = StageStatus::failed;
  attempt.failure_reason = "org.apache.spark.shuffle.FetchFailedException: \x1b[31mfetch failed\x1b[0m\n\tat Shuffle.scala:7";
  attempt.tasks.failed = 2;
  set_total(attempt, Metric::shuffle_read_bytes, 38587597);  // 36.8 MiB
  set_total(attempt, Metric::shuffle_write_bytes, 0);
  set_total(attempt, Metric::disk_spill_bytes, 3 * kMiB);
  set_times(attempt, {68}, 2100);
  return attempt;
}

StageAttempt retried_join() {
  auto attempt = attempt_of(2, 2, 2);
  attempt.attempt = 1;
  set_total(attempt, Metric::shuffle_read_bytes, 12 * kKiB);
  set_total(attempt, Metric::shuffle_write_bytes, 0);
  set_total(attempt, Metric::disk_spill_bytes, 0);
  set_times(attempt, {70}, 18);  // a median of 17.5 ms
  return attempt;
}

std::vector<StageAttempt> described_attempts() {
  auto orders = attempt_of(0, 4, 4);
  set_total(orders, Metric::shuffle_write_bytes, 38587597);
  set_times(orders, {4800}, 1400);
  auto customers = attempt_of(1, 1, 1);
  set_total(customers, Metric::shuffle_write_bytes, 1065);  // 1.04 KiB
  set_times(customers, {480}, 120);
  std::vector<StageAttempt> attempts{orders, customers, failed_join(), retried_join()};
  for (auto& attempt : attempts) {
    attempt.description = "revenue by country";
    attempt.sql_execution = 1;
    attempt.jobs = {0};
  }
  return attempts;
}

std::vector<StageAttempt> other_attempts() {
  auto skipped = attempt_of(3, 0, 4);
  skipped.status = StageStatus::skipped;
  auto small = attempt_of(4, 16, 16);
  set_total(small, Metric::shuffle_read_bytes, 1258291);  // 1.2 MiB
  std::vector<StageAttempt> attempts{skipped, small};
  for (auto& attempt : attempts) {
    attempt.sql_execution = 3;
    attempt.jobs = {1};
  }
  return attempts;
}

Stage stage_of(std::int32_t id, std::string label, std::int64_t tasks) {
  Stage stage;
  stage.id = id;
  stage.key.label = std::move(label);
  stage.tasks = tasks;
  return stage;
}

void set_sum(Stage& stage, Metric metric, std::int64_t sum) {
  Distribution values;
  values.count = 1;
  values.sum = sum;
  stage.metrics[index_of(metric)] = values;
}

SqlExecution execution_of(std::int64_t id, std::string description) {
  SqlExecution execution;
  execution.id = id;
  execution.root_id = id;
  execution.description = std::move(description);
  return execution;
}

Finding finding_of(std::string rule, std::int32_t stage_id, std::string label, std::int64_t value) {
  Finding finding;
  finding.rule = std::move(rule);
  finding.stage_id = stage_id;
  finding.stage_label = std::move(label);
  finding.stage_fingerprint = "00000000000000a" + std::to_string(stage_id);
  finding.value_thousandths = value;
  finding.tolerance_thousandths = 100;
  finding.message = "what " + finding.rule + " says";
  finding.advice = "what to do against " + finding.rule;
  return finding;
}

}  // namespace

Application revenue_application() {
  Application application;
  application.id = "local-1764438313000";
  application.name = "revenue";
  application.spark_version = "4.3.0";
  application.start_ms = 1764438313000;
  application.end_ms = 1764438345100;
  application.cores = 4;
  application.stages = described_attempts();
  for (auto& attempt : other_attempts()) {
    application.stages.push_back(std::move(attempt));
  }
  application.executions = {execution_of(1, "revenue by country"), execution_of(3, "showString at NativeMethodAccessorImpl.java:0")};
  return application;
}

std::vector<Stage> revenue_stages() {
  std::vector<Stage> stages{stage_of(0, "scan orders", 4), stage_of(1, "scan customers", 1), stage_of(2, "join orders, customers", 200),
                            stage_of(4, "count customers", 16)};
  set_sum(stages[0], Metric::input_bytes, 156237824);  // 149 MiB
  set_sum(stages[0], Metric::shuffle_write_bytes, 38587597);
  set_sum(stages[0], Metric::duration_ms, 5200);
  set_sum(stages[2], Metric::shuffle_read_bytes, 38587597 + 12 * kKiB);  // 36.8 MiB
  set_sum(stages[2], Metric::disk_spill_bytes, 3 * kMiB);
  set_sum(stages[2], Metric::duration_ms, 7000);
  stages[2].failed = 2;
  return stages;
}

Finding skew_finding() {
  auto finding = finding_of("skew", 2, "join orders, customers", 412000);
  finding.message = "one task reads 36.4 MiB, the median task 90.5 KiB: 412 times as much";
  finding.advice =
      "Look for the key that most rows share. Salt it, filter it, broadcast the smaller side, or let adaptive execution split the "
      "partition.\nspark.sql.adaptive.skewJoin.enabled = true";
  return finding;
}

Finding small_tasks_finding() {
  auto finding = finding_of("small-tasks", 4, "count customers", 16000);
  finding.level = Level::warning;
  finding.unit = ValueUnit::count;
  finding.message = "16 tasks on 4 cores read 76.8 KiB each";
  finding.advice = "Lower spark.sql.shuffle.partitions.";
  return finding;
}

JudgedFinding judged(Finding finding, FindingState state) {
  return {.finding = std::move(finding), .state = state, .accepted_thousandths = std::nullopt, .suppression_reason = ""};
}

JudgedFinding accepted(Finding finding, FindingState state, std::int64_t accepted_thousandths) {
  return {.finding = std::move(finding), .state = state, .accepted_thousandths = accepted_thousandths, .suppression_reason = ""};
}

VariantResult passed_variant(const std::string& job, const std::string& variant) {
  VariantResult result;
  result.job = job;
  result.variant = variant;
  result.owner = "@data-platform";
  result.at = {.file = "stagegate.toml", .line = 12, .column = 1};
  result.state = VariantState::judged;
  result.run_dir = "stagegate-out/runs/" + job + "/" + variant + "/1";
  result.baseline_file = "baselines/" + job + "/" + variant + ".json";
  result.started_ms = 1764438313000;  // 2025-11-29T17:45:13
  result.duration_ms = 32100;
  result.rules = {"skew", "small-tasks", "spill"};
  return result;
}

VariantResult regressed_variant() {
  auto result = passed_variant("revenue", "adaptive-off");
  result.application = revenue_application();
  result.stages = revenue_stages();
  result.rules = {"skew", "small-tasks", "spill", "shuffle-growth"};
  auto spill = finding_of("spill", 2, "join orders, customers", 3 * kMiB * 1000);
  spill.unit = ValueUnit::bytes;
  auto growth = finding_of("shuffle-growth", -1, "", 31000);
  growth.stage_fingerprint.clear();
  growth.unit = ValueUnit::percent;
  auto suppressed = judged(finding_of("skew", 0, "scan orders", 6100), FindingState::suppressed);
  suppressed.suppression_reason = "guest orders, DATA-123";
  result.findings = {
      judged(skew_finding(), FindingState::new_finding),
      suppressed,
      judged(small_tasks_finding(), FindingState::new_finding),
      accepted(spill, FindingState::known, 3 * kMiB * 1000),
      accepted(growth, FindingState::worse, 25000),
  };
  result.gone = {{.rule = "skew", .stage_label = "scan customers", .accepted_thousandths = 9400, .unit = ValueUnit::ratio}};
  return result;
}

VariantResult failed_variant() {
  auto result = variant_in(VariantState::job_failed);
  result.reason = "exited with status 3 after 32 s";
  result.detail = "the end of stderr.txt:\n  Traceback (most recent call last):\n  ValueError: no rows\n";
  return result;
}

VariantResult first_run_variant() {
  auto result = passed_variant("revenue", "adaptive");
  result.state = VariantState::no_baseline;
  result.reason = "baselines/revenue/adaptive.json is not there";
  result.detail = "accept this result with: stagegate baseline accept --job revenue --variant adaptive";
  result.rules = {"skew", "small-tasks"};
  auto second = skew_finding();
  second.stage_id = 0;
  second.stage_label = "scan orders";
  second.value_thousandths = 6100;
  result.findings = {judged(skew_finding(), FindingState::unjudged), judged(second, FindingState::unjudged)};
  return result;
}

VariantResult variant_in(VariantState state) {
  auto result = passed_variant("sessions", "default");
  result.state = state;
  return result;
}

RunResult run_of(std::vector<VariantResult> variants) {
  RunResult result;
  result.variants = std::move(variants);
  return result;
}

RunResult mixed_run() {
  auto result = run_of({regressed_variant(), passed_variant("revenue", "adaptive"), failed_variant()});
  result.notices = {"stagegate.toml:40:1: the suppression of 'spill' matches nothing"};
  return result;
}

RunResult hostile_run() {
  using std::string_literals::operator""s;
  const auto poison =
      "esc \x1b[31mred\x1b[0m lone \x1b nul \0 bell \a vt \v csi \xC2\x9B low \xED\xA0\x80 bad \xFF\xC0\xAF end ]]> &#27; <b a=\"1\"> \xEF\xBF\xBE ok \xF0\x9F\x92\xA1"s;
  const auto twice = poison + "\r\n" + poison;
  auto bad = regressed_variant();
  bad.job = poison;
  bad.owner = poison;
  bad.baseline_file = poison;
  bad.rules = {poison};
  bad.application->spark_version = poison;
  for (auto& finding : bad.findings) {
    finding.finding.rule = poison;
    finding.finding.message = twice;
    finding.finding.advice = twice;
    finding.finding.stage_label = poison;
    finding.suppression_reason = poison;
  }
  auto failed = failed_variant();
  failed.reason = poison;
  failed.run_dir = poison;
  failed.detail = poison + "\n\n" + poison;
  auto result = run_of({bad, failed});
  result.errors = {poison};
  result.notices = {poison};
  return result;
}

}  // namespace stagegate
