// `stagegate compare --format markdown`: for a comment on a pull request.
#include <cstddef>
#include <string>

#include <fmt/format.h>

#include "base/units.h"
#include "report/compare.h"
#include "report/compare_facts.h"
#include "report/markdown.h"

namespace stagegate {
namespace {

// GitHub takes 65,536 characters in a comment.
constexpr std::size_t kMaxTableBytes = 48'000;
constexpr std::size_t kMaxWidth = 200;

std::string row_text(const ComparedRun& before, const ComparedRun& after, const StageComparison& row) {
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", "`" + std::string(1, mark_of(row.change)) + "`",
                     stage_number_text(before, row.before), stage_number_text(after, row.after), tasks_change_text(before, after, row),
                     row.before ? format_bytes(row.bytes_before) : "-", row.after ? format_bytes(row.bytes_after) : "-",
                     difference_text(row.bytes_before, row.bytes_after) + (percent_text(row).empty() ? "" : " (" + percent_text(row) + ")"),
                     markdown_text(findings_change_text(row), kMaxWidth), markdown_text(stage_of(before, after, row).key.label, kMaxWidth));
}

std::string table_text(const ComparedRun& before, const ComparedRun& after, const Comparison& comparison) {
  std::string text =
      "| | before | after | tasks | bytes before | bytes after | difference | findings | what |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |\n";
  std::size_t left_out = 0;
  std::size_t same = 0;
  for (const auto& row : comparison.rows) {
    if (row.change == Change::same && row.bytes_before == row.bytes_after) {
      ++same;
    } else if (text.size() < kMaxTableBytes) {
      text += row_text(before, after, row);
    } else {
      ++left_out;
    }
  }
  text += left_out == 0 ? "" : fmt::format("\n{} more rows are left out here.\n", left_out);
  return text + (same == 0 ? "" : fmt::format("\n{} stages move exactly the same bytes and are left out.\n", same));
}

}  // namespace

std::string render_compare_markdown(const ComparedRun& before, const ComparedRun& after, const Comparison& comparison) {
  std::string text = fmt::format("### {} against {}\n\n", markdown_text(after.name, kMaxWidth), markdown_text(before.name, kMaxWidth));
  text += markdown_text(compare_summary_text(comparison), kMaxWidth) + "\n\n";
  for (const auto* run : {&before, &after}) {
    text += run->complete
                ? ""
                : fmt::format("> **{} is incomplete:** what is missing in its evidence is missing here.\n\n", markdown_text(run->name));
  }
  for (const auto& difference : comparison.differences) {
    text += fmt::format("> Not the same: {}\n\n", markdown_text(difference, kMaxWidth));
  }
  if (!comparison.left_out.empty()) {
    text += fmt::format("> {}\n\n", left_out_text(comparison));
  }
  text += table_text(before, after, comparison);
  for (const auto& row : comparison.rows) {
    for (const auto* finding : row.new_findings) {
      text += fmt::format("\n- **new {}** stage {}: {}<br>\n  {}\n", markdown_text(finding->rule), finding->stage_id,
                          markdown_text(finding->stage_label, kMaxWidth), markdown_text(finding->message, kMaxWidth));
    }
  }
  return text;
}

}  // namespace stagegate
