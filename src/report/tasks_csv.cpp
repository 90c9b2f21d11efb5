// `stagegate report --format csv-tasks`. The columns' names and their order are an interface.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "report/csv_writer.h"
#include "report/report.h"

namespace stagegate {
namespace {

// A place as two cells, made once and not for each of a million tasks.
std::vector<std::string> place_cells(const Application& application) {
  std::vector<std::string> cells;
  cells.reserve(application.places.size());
  for (const auto& place : application.places) {
    cells.push_back(csv_text(place.executor) + ',' + csv_text(place.host));
  }
  return cells;
}

std::vector<std::string> column_names() {
  std::vector<std::string> names{"stage", "attempt", "partition", "task_id", "task_attempt", "executor", "host", "launched_ms"};
  for (const auto& info : kMetrics) {
    names.emplace_back(info.name);
  }
  for (const auto& info : kTaskDetails) {
    names.emplace_back(info.name);
  }
  return names;
}

// Rows stand in the order of the tasks' ends.
std::vector<std::size_t> rows_by_partition(const PackedColumn& partitions) {
  std::vector<std::size_t> rows(partitions.size());
  std::iota(rows.begin(), rows.end(), 0);
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return partitions[a] < partitions[b]; });
  return rows;
}

// A column without rows: the source does not have it.
void write(CsvWriter& csv, const PackedColumn& column, std::size_t row) {
  column.empty() ? csv.missing() : csv.number(column[row]);
}

void write_place(CsvWriter& csv, const PackedColumn& places, std::size_t row, const std::vector<std::string>& cells) {
  const auto place = places.empty() ? cells.size() : static_cast<std::size_t>(places[row]);
  csv.ready(place < cells.size() ? cells[place] : ",");
}

void write_task(CsvWriter& csv, const StageAttempt& attempt, std::size_t row, const std::vector<std::string>& places) {
  const auto& tasks = attempt.winners;
  csv.number(attempt.id);
  csv.number(attempt.attempt);
  csv.number(tasks.partitions[row]);
  write(csv, tasks.task_ids, row);
  write(csv, tasks.attempt_numbers, row);
  write_place(csv, tasks.places, row, places);
  write(csv, tasks.launched_ms, row);
  for (const auto& column : tasks.metrics) {
    write(csv, column, row);
  }
  for (const auto& column : tasks.details) {
    write(csv, column, row);
  }
  csv.end_row();
}

}  // namespace

void write_tasks_csv(const Application& application, const TextSink& sink) {
  const auto places = place_cells(application);
  CsvWriter csv(sink);
  csv.header(column_names());
  for (const auto& attempt : application.stages) {
    for (const auto row : rows_by_partition(attempt.winners.partitions)) {
      write_task(csv, attempt, row, places);
    }
  }
  csv.finish();
}

}  // namespace stagegate
