#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"
#include "report/finding_text.h"
#include "report/report.h"
#include "report/stage_lines.h"
#include "report/terminal.h"
#include "report/text_table.h"

namespace stagegate {
namespace {

constexpr std::size_t kMaxReasonWidth = 160;

// What a cell shows of a number that may be missing: missing is not zero.
TableCell value_cell(const std::optional<std::string>& text, Color color) {
  return text ? table_cell(*text, Style::plain, color) : table_cell("-", Style::dim, color);
}

TableCell bytes_cell(std::optional<std::int64_t> bytes, Color color) {
  return value_cell(bytes ? std::optional(format_bytes(*bytes)) : std::nullopt, color);
}

TableCell time_cell(std::optional<std::int64_t> ms, Color color) {
  return value_cell(ms ? std::optional(format_duration(std::chrono::milliseconds(*ms))) : std::nullopt, color);
}

// Nothing where nothing was spilled or failed: an empty column is left out of the table.
TableCell if_any_cell(std::int64_t count, const std::string& text, Color color) {
  return count > 0 ? table_cell(text, Style::yellow, color) : TableCell{};
}

Style style_of(Level level) {
  switch (level) {
    case Level::off:
      return Style::plain;
    case Level::warning:
      return Style::yellow;
    case Level::error:
      return Style::red;
  }
  return Style::plain;
}

void append(TableCell& cell, std::string_view text, Style style, Color color) {
  if (text.empty()) {
    return;
  }
  if (cell.width > 0) {
    cell.text += ", ";
    cell.width += 2;
  }
  const auto added = table_cell(text, style, color);
  cell.text += added.text;
  cell.width += added.width;
}

TableCell flags_cell(const StageLine& line, Color color) {
  TableCell cell;
  const auto [word, style] = status_word(line.attempt->status);
  append(cell, word, style, color);
  for (const auto* finding : line.findings) {
    append(cell, flag_text(*finding), style_of(finding->level), color);
  }
  return cell;
}

std::vector<TableCell> cells_of(const StageLine& line, std::string_view label, Color color) {
  const auto& attempt = *line.attempt;
  const auto spill = total(attempt, Metric::disk_spill_bytes).value_or(0);
  const auto median = median_time_quarters(attempt);
  return {
      table_cell(stage_number(attempt), Style::plain, color),
      value_cell(ran(attempt) ? std::optional(tasks_text(attempt)) : std::nullopt, color),
      bytes_cell(total(attempt, Metric::shuffle_read_bytes), color),
      bytes_cell(total(attempt, Metric::shuffle_write_bytes), color),
      if_any_cell(spill, format_bytes(spill), color),
      if_any_cell(attempt.tasks.failed, format_count(attempt.tasks.failed), color),
      time_cell(median ? std::optional((*median + 2) / 4) : std::nullopt, color),
      time_cell(slowest_time_ms(attempt), color),
      flags_cell(line, color),
      table_cell(label, ran(attempt) ? Style::plain : Style::dim, color),
  };
}

std::vector<TableColumn> columns() {
  return {{"stage", Align::right}, {"tasks", Align::right},  {"shuffle read", Align::right}, {"shuffle write", Align::right},
          {"spill", Align::right}, {"failed", Align::right}, {"median time", Align::right},  {"slowest", Align::right},
          {"flags", Align::left},  {"what", Align::left}};
}

void add_reason(TextTable& table, const StageAttempt& attempt, Color color) {
  if (const auto reason = reason_line(attempt.failure_reason.value_or(""), kMaxReasonWidth); !reason.empty()) {
    table.rows.emplace_back(TableLine{"       " + paint(reason, Style::red, color)});
  }
}

// Below its heading a label need not say the heading again.
std::string_view label_below_heading(const StageLine& line) {
  std::string_view label = line.label;
  if (label.starts_with(line.heading) && label.substr(line.heading.size()).starts_with(": ")) {
    label.remove_prefix(line.heading.size() + 2);
  }
  return label;
}

void add_lines(TextTable& table, const std::vector<StageLine>& lines, const StageTableOptions& options) {
  const bool grouped = options.sort == StageSort::stage;
  std::string_view heading;
  for (const auto& line : lines) {
    if (grouped && line.heading != heading) {
      heading = line.heading;
      table.rows.emplace_back(TableLine{paint(heading, Style::bold, options.color)});
    }
    table.rows.emplace_back(grouped ? cells_of(line, label_below_heading(line), options.color)
                                    : cells_of(line, full_label(line), options.color));
    add_reason(table, *line.attempt, options.color);
  }
}

}  // namespace

std::string render_stage_table(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings,
                               const StageTableOptions& options) {
  const auto lines = stage_lines(application, stages, findings, options.filter, options.sort);
  if (lines.empty()) {
    return std::string(options.indent, ' ') + "no stage ran\n";
  }
  TextTable table{.columns = columns(), .rows = {}};
  add_lines(table, lines, options);
  return render(table, options.indent, options.color);
}

}  // namespace stagegate
