// `stagegate report --format csv`. The columns' names and their order are an interface.
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "report/csv_writer.h"
#include "report/report.h"
#include "report/terminal.h"

namespace stagegate {
namespace {

constexpr std::array<Metric, 3> kSpreadMetrics{Metric::shuffle_read_bytes, Metric::input_bytes, Metric::duration_ms};

std::string_view name_of(Metric metric) {
  return kMetrics[index_of(metric)].name;
}

// Sums and quartiles are called as in rules: shuffle_read.sum is shuffle_read_sum.
std::vector<std::string> column_names() {
  std::vector<std::string> names{"application",    "application_attempt", "stage",         "attempt",        "name",
                                 "label",          "fingerprint",         "status",        "failure_reason", "jobs",
                                 "group",          "description",         "sql_execution", "submitted_ms",   "completed_ms",
                                 "tasks_declared", "tasks_succeeded",     "tasks_failed",  "tasks_killed",   "tasks_speculative"};
  for (const auto& info : kMetrics) {
    names.push_back(fmt::format("{}_sum", info.name));
  }
  for (const auto& info : kMetrics) {
    if (info.unit == Unit::bytes) {
      names.push_back(fmt::format("wasted_{}", info.name));
    }
  }
  for (const auto metric : kSpreadMetrics) {
    for (const auto* part : {"min", "p25", "median", "p75", "max"}) {
      names.push_back(fmt::format("{}_{}", name_of(metric), part));
    }
  }
  return names;
}

void write(CsvWriter& csv, const std::optional<std::int64_t>& value) {
  value ? csv.number(*value) : csv.missing();
}

void write(CsvWriter& csv, const std::optional<std::string>& value) {
  csv.text(value.value_or(""));
}

void write_names(CsvWriter& csv, const Application& application, const StageAttempt& attempt, const StageKey& key) {
  write(csv, application.id);
  write(csv, application.attempt);
  csv.number(attempt.id);
  csv.number(attempt.attempt);
  csv.text(attempt.name);
  csv.text(key.label);
  csv.ready(key.fingerprint);
  csv.ready(to_string(attempt.status));
  csv.text(first_line(attempt.failure_reason.value_or("")));
  std::vector<std::string> jobs;
  for (const auto id : attempt.jobs) {
    jobs.push_back(fmt::format("{}", id));
  }
  csv.ready(join(jobs, " "));
  write(csv, attempt.group);
  write(csv, attempt.description);
  write(csv, attempt.sql_execution);
  write(csv, attempt.submitted_ms);
  write(csv, attempt.completed_ms);
}

void write_tasks(CsvWriter& csv, const TaskCounts& tasks) {
  for (const auto count : {tasks.declared, tasks.succeeded, tasks.failed, tasks.killed, tasks.speculative}) {
    csv.number(count);
  }
}

void write_sums(CsvWriter& csv, const StageAttempt& attempt) {
  for (const auto& info : kMetrics) {
    write(csv, attempt.totals[index_of(info.metric)]);
  }
  for (const auto& info : kMetrics) {
    if (info.unit == Unit::bytes) {
      write(csv, attempt.wasted[index_of(info.metric)]);
    }
  }
}

void write_spread(CsvWriter& csv, const std::optional<Distribution>& values) {
  if (!values) {
    for (int part = 0; part < 5; ++part) {
      csv.missing();
    }
    return;
  }
  csv.number(values->min);
  csv.quarters(values->p25);
  csv.quarters(values->median);
  csv.quarters(values->p75);
  csv.number(values->max);
}

}  // namespace

void write_stages_csv(const Application& application, std::span<const Stage> stages, CsvHeader header, const TextSink& sink) {
  std::map<std::int32_t, const StageKey*> keys;
  for (const auto& stage : stages) {
    keys.emplace(stage.id, &stage.key);
  }
  CsvWriter csv(sink);
  if (header == CsvHeader::written) {
    csv.header(column_names());
  }
  for (const auto& attempt : application.stages) {
    const auto key = keys.find(attempt.id);
    write_names(csv, application, attempt, key == keys.end() ? StageKey() : *key->second);
    write_tasks(csv, attempt.tasks);
    write_sums(csv, attempt);
    for (const auto metric : kSpreadMetrics) {
      write_spread(csv, attempt.distributions[index_of(metric)]);
    }
    csv.end_row();
  }
  csv.finish();
}

}  // namespace stagegate
