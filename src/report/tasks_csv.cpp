// `stagegate report --format csv-tasks`. The columns' names and their order are an interface.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "report/csv_writer.h"
#include "report/report.h"

namespace stagegate {
namespace {

// Cells that are the same for many tasks are made once and not for each of a million.
struct ReadyCells {
  std::string application;          // two cells
  std::vector<std::string> places;  // two cells each
};

ReadyCells ready_cells(const Application& application) {
  ReadyCells cells;
  cells.application = csv_text(application.id.value_or("")) + ',' + csv_text(application.attempt.value_or(""));
  cells.places.reserve(application.places.size());
  for (const auto& place : application.places) {
    cells.places.push_back(csv_text(place.executor) + ',' + csv_text(place.host));
  }
  return cells;
}

std::vector<std::string> column_names() {
  std::vector<std::string> names{"application", "application_attempt", "stage",    "attempt", "partition",
                                 "task_id",     "task_attempt",        "executor", "host",    "launched_ms"};
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

void write_task(CsvWriter& csv, const StageAttempt& attempt, std::size_t row, const ReadyCells& cells) {
  const auto& tasks = attempt.winners;
  csv.ready(cells.application);
  csv.number(attempt.id);
  csv.number(attempt.attempt);
  csv.number(tasks.partitions[row]);
  write(csv, tasks.task_ids, row);
  write(csv, tasks.attempt_numbers, row);
  write_place(csv, tasks.places, row, cells.places);
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

void write_tasks_csv(const Application& application, CsvHeader header, const TextSink& sink) {
  const auto cells = ready_cells(application);
  CsvWriter csv(sink);
  if (header == CsvHeader::written) {
    csv.header(column_names());
  }
  for (const auto& attempt : application.stages) {
    for (const auto row : rows_by_partition(attempt.winners.partitions)) {
      write_task(csv, attempt, row, cells);
    }
  }
  csv.finish();
}

}  // namespace stagegate
