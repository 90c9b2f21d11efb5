// `stagegate compare` in a terminal: a row a stage, largest change first.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"
#include "report/compare.h"
#include "report/compare_facts.h"
#include "report/terminal.h"
#include "report/text_table.h"

namespace stagegate {
namespace {

Style style_of(Change change) {
  switch (change) {
    case Change::worse:
    case Change::not_comparable:
    case Change::ambiguous:
      return Style::yellow;
    case Change::new_finding:
      return Style::red;
    case Change::better:
    case Change::finding_gone:
      return Style::green;
    case Change::same:
      return Style::plain;
  }
  return Style::plain;
}

std::string head(const ComparedRun& before, const ComparedRun& after, const Comparison& comparison, Color color) {
  const auto line = [&](std::string_view which, const ComparedRun& run) {
    return fmt::format("{} {}{}\n", which, one_line(run.name),
                       run.complete ? "" : paint("  INCOMPLETE: what is missing in its evidence is missing here", Style::red, color));
  };
  auto text = line("before:", before) + line("after: ", after);
  for (const auto& difference : comparison.differences) {
    text += paint("not the same: " + one_line(difference), Style::yellow, color) + "\n";
  }
  if (!comparison.left_out.empty()) {
    text += paint(left_out_text(comparison), Style::yellow, color) + "\n";
  }
  return text + "\n";
}

TextTable table_of(const ComparedRun& before, const ComparedRun& after, const Comparison& comparison, const CompareTextOptions& options) {
  TextTable table{.columns = {{"", Align::left},
                              {"before", Align::right},
                              {"after", Align::right},
                              {"tasks", Align::right},
                              {"bytes before", Align::right},
                              {"bytes after", Align::right},
                              {"difference", Align::right},
                              {"", Align::right},
                              {"findings", Align::left},
                              {"what", Align::left}},
                  .rows = {}};
  for (const auto& row : comparison.rows) {
    const auto style = style_of(row.change);
    const auto cell = [&](std::string_view text, Style how = Style::plain) { return table_cell(text, how, options.color); };
    table.rows.emplace_back(std::vector<TableCell>{
        cell(std::string(1, mark_of(row.change)), style), cell(stage_number_text(before, row.before)),
        cell(stage_number_text(after, row.after)), cell(tasks_change_text(before, after, row)),
        cell(row.before ? format_bytes(row.bytes_before) : "-"), cell(row.after ? format_bytes(row.bytes_after) : "-"),
        cell(difference_text(row.bytes_before, row.bytes_after), style), cell(percent_text(row)),
        cell(one_line(findings_change_text(row)), style), cell(one_line(stage_of(before, after, row).key.label))});
    if (options.reasons == MatchReasons::shown) {
      table.rows.emplace_back(
          TableLine{paint("       " + (row.match ? reason_of(*row.match) : std::string("no stage of the other run does this work")),
                          Style::dim, options.color)});
    }
  }
  return table;
}

}  // namespace

std::string render_compare_text(const ComparedRun& before, const ComparedRun& after, const Comparison& comparison,
                                const CompareTextOptions& options) {
  auto text = head(before, after, comparison, options.color);
  text += render(table_of(before, after, comparison, options), 0, options.color);
  text += "\n" + compare_summary_text(comparison) + "\n";
  for (const auto& row : comparison.rows) {
    for (const auto* finding : row.new_findings) {
      text += fmt::format("{} stage {}: {}\n  {}\n", paint("new", Style::red, options.color), finding->stage_id,
                          one_line(finding->stage_label), one_line(finding->message));
    }
  }
  return text;
}

}  // namespace stagegate
