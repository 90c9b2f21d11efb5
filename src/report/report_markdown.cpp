// `stagegate report --format markdown`: what was found first, the table after it, folded up where it is long.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units.h"
#include "report/application_facts.h"
#include "report/finding_text.h"
#include "report/markdown.h"
#include "report/report.h"
#include "report/stage_lines.h"
#include "report/terminal.h"

namespace stagegate {
namespace {

// GitHub takes 65,536 characters in a comment. What is left out is counted, and where to find it is said.
constexpr std::size_t kMaxTableBytes = 36'000;
constexpr std::size_t kMaxFindingsBytes = 20'000;
constexpr std::size_t kMaxProblemsBytes = 4'000;
constexpr std::size_t kMaxWidth = 300;
constexpr std::size_t kMaxOpenRows = 25;

// The first of LINES that take at most MAX_BYTES together.
std::string first_of(const std::vector<std::string>& lines, std::size_t max_bytes, std::string_view rest) {
  std::string text;
  std::size_t shown = 0;
  while (shown < lines.size() && text.size() + lines[shown].size() <= max_bytes) {
    text += lines[shown++];
  }
  return shown == lines.size() ? text : text + fmt::format("\n{} more {}\n", lines.size() - shown, rest);
}

std::string headline(const Application& application) {
  const auto id = application.id ? fmt::format(" ({})", markdown_text(*application.id, kMaxWidth)) : std::string();
  std::string text = fmt::format("### {}{}\n\n", markdown_text(application_name(application), kMaxWidth), id);
  for (const auto& fact : application_facts(application)) {
    text += markdown_text(fact, kMaxWidth) + ", ";
  }
  return text + (application.evidence.complete() ? "complete\n" : "**incomplete**\n");
}

std::string warning(const Evidence& evidence) {
  if (evidence.complete()) {
    return {};
  }
  std::vector<std::string> problems;
  for (const auto& problem : evidence.problems) {
    problems.push_back(fmt::format("> - {}: {}\n", markdown_text(problem.code), markdown_text(problem.message, kMaxWidth)));
  }
  return "\n> **The evidence is incomplete:** what is missing in the log is missing below.\n>\n" +
         first_of(problems, kMaxProblemsBytes, "of these are left out here.");
}

std::string finding_item(const Finding& finding) {
  return fmt::format("- **{}**{} {}<br>\n  {}\n", markdown_text(flag_text(finding)), level_note(finding),
                     markdown_text(place_text(finding), kMaxWidth), markdown_text(finding.message, kMaxWidth));
}

std::string explain_commands(std::span<const Finding> findings) {
  std::set<std::string> commands;
  for (const auto& finding : findings) {
    commands.insert(fmt::format("`stagegate explain {}`", one_line(finding.rule)));
  }
  return fmt::format("\nWhat to do: {}\n", join(std::vector<std::string>(commands.begin(), commands.end()), ", "));
}

std::string findings_text(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings) {
  if (findings.empty()) {
    return '\n' + no_findings_text(application, stages);
  }
  std::vector<std::string> items;
  for (const auto& finding : findings) {
    items.push_back(finding_item(finding));
  }
  return fmt::format("\n**{}**\n\n{}{}", counted(findings.size(), "finding"),
                     first_of(items, kMaxFindingsBytes, "of these are left out here; `stagegate report` shows them."),
                     explain_commands(findings));
}

struct Column {
  std::string_view heading;
  bool right = true;
};

constexpr std::array<Column, 10> kColumns{{{"stage"},
                                           {"tasks"},
                                           {"shuffle read"},
                                           {"shuffle write"},
                                           {"spill"},
                                           {"failed"},
                                           {"median time"},
                                           {"slowest"},
                                           {"flags", false},
                                           {"what", false}}};

using Cells = std::array<std::string, kColumns.size()>;

std::string bytes_cell(std::optional<std::int64_t> bytes) {
  return bytes ? format_bytes(*bytes) : "-";
}

std::string time_cell(std::optional<std::int64_t> ms) {
  return ms ? format_duration(std::chrono::milliseconds(*ms)) : "-";
}

std::string flags_cell(const StageLine& line) {
  std::vector<std::string> flags;
  if (const auto word = status_word(line.attempt->status).first; !word.empty()) {
    flags.emplace_back(word);
  }
  for (const auto* finding : line.findings) {
    const auto flag = markdown_text(flag_text(*finding));
    flags.push_back(finding->level == Level::error ? fmt::format("**{}**", flag) : flag);
  }
  return join(flags, ", ");
}

std::string what_cell(const StageLine& line) {
  const auto reason = reason_line(line.attempt->failure_reason.value_or(""));
  return markdown_text(full_label(line), kMaxWidth) + (reason.empty() ? "" : "<br>" + markdown_text(reason, kMaxWidth));
}

Cells cells_of(const StageLine& line) {
  const auto& attempt = *line.attempt;
  const auto spill = total(attempt, Metric::disk_spill_bytes).value_or(0);
  const auto median = median_time_quarters(attempt);
  return {stage_number(attempt),
          ran(attempt) ? tasks_text(attempt) : "-",
          bytes_cell(total(attempt, Metric::shuffle_read_bytes)),
          bytes_cell(total(attempt, Metric::shuffle_write_bytes)),
          spill > 0 ? format_bytes(spill) : "",
          attempt.tasks.failed > 0 ? format_count(attempt.tasks.failed) : "",
          time_cell(median ? std::optional((*median + 2) / 4) : std::nullopt),
          time_cell(slowest_time_ms(attempt)),
          flags_cell(line),
          what_cell(line)};
}

// Columns without anything in them are left out, as in the terminal.
std::array<bool, kColumns.size()> used_columns(const std::vector<Cells>& rows) {
  std::array<bool, kColumns.size()> used{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      used[i] = used[i] || !row[i].empty();
    }
  }
  return used;
}

template <typename OnColumn>
std::string row_text(const std::array<bool, kColumns.size()>& used, OnColumn&& cell_of) {
  std::string text = "|";
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) {
      text += fmt::format(" {} |", cell_of(i));
    }
  }
  return text + '\n';
}

std::string table_text(const std::vector<StageLine>& lines) {
  std::vector<Cells> rows;
  for (const auto& line : lines) {
    rows.push_back(cells_of(line));
  }
  const auto used = used_columns(rows);
  std::vector<std::string> texts;
  for (const auto& row : rows) {
    texts.push_back(row_text(used, [&](std::size_t i) { return row[i]; }));
  }
  return row_text(used, [](std::size_t i) { return kColumns[i].heading; }) +
         row_text(used, [](std::size_t i) { return kColumns[i].right ? "---:" : "---"; }) +
         first_of(texts, kMaxTableBytes, "stages are left out here; `stagegate report --format csv` has them all.");
}

std::string stages_text(const std::vector<StageLine>& lines, std::span<const Stage> stages) {
  if (lines.empty()) {
    return "\nNo stage ran.\n";
  }
  const auto total = fmt::format("\nTotal: {}\n", totals_text(stages));
  if (lines.size() <= kMaxOpenRows) {
    return '\n' + table_text(lines) + total;
  }
  return fmt::format("{}\n<details><summary>{} stages</summary>\n\n{}\n</details>\n", total, lines.size(), table_text(lines));
}

}  // namespace

std::string render_report_markdown(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings,
                                   const StageTableOptions& options) {
  const auto lines = stage_lines(application, stages, findings, options.filter, options.sort);
  return headline(application) + warning(application.evidence) + findings_text(application, stages, findings) + stages_text(lines, stages) +
         "\n<sub>Bytes are sums over a stage's tasks, times are those of its single tasks and are not judged; `-`: not in the log. "
         "By stagegate.</sub>\n";
}

}  // namespace stagegate
