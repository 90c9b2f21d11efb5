#include <set>
#include <string>

#include <fmt/format.h>

#include "base/text.h"
#include "report/application_facts.h"
#include "report/finding_text.h"
#include "report/report.h"
#include "report/terminal.h"

namespace stagegate {
namespace {

constexpr std::size_t kTextWidth = 100;

std::string name_line(const Application& application, Color color) {
  const auto id = application.id ? fmt::format(" ({})", one_line(*application.id)) : std::string();
  return paint(application_name(application), Style::bold, color) + id + '\n';
}

std::string facts_line(const Application& application, Color color) {
  auto facts = application_facts(application);
  facts.push_back(application.evidence.complete() ? "complete" : paint("INCOMPLETE", Style::red, color));
  return join(facts, ", ") + '\n';
}

std::string problem_lines(const Evidence& evidence) {
  std::string text;
  for (const auto& problem : evidence.problems) {
    text += fmt::format("  {}: {}\n", one_line(problem.code), one_line(problem.message));
  }
  return text;
}

std::string finding_lines(const Finding& finding, bool with_advice, Color color) {
  const auto style = finding.level == Level::error ? Style::red : Style::yellow;
  std::string text = fmt::format("{}{}  {}\n", paint(flag_text(finding), style, color), level_note(finding), place_text(finding));
  text += fmt::format("  {}\n", one_line(finding.message));
  if (with_advice) {
    for (const auto& line : wrap(finding.advice, kTextWidth)) {
      text += fmt::format("  {}\n", line);
    }
  }
  return text;
}

// The advice of a rule stands with its first finding only.
std::string findings_text(std::span<const Finding> findings, Color color) {
  std::string text = paint(counted(findings.size(), "finding"), Style::bold, color) + '\n';
  std::set<std::string> advised;
  for (const auto& finding : findings) {
    text += finding_lines(finding, advised.insert(finding.rule).second, color);
  }
  return text;
}

}  // namespace

std::string render_report_text(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings,
                               const StageTableOptions& options) {
  std::string text = name_line(application, options.color) + facts_line(application, options.color) + problem_lines(application.evidence);
  text += '\n' + render_stage_table(application, stages, findings, options);
  text += fmt::format("total: {}\n\n", totals_text(stages));
  text += findings.empty() ? no_findings_text(application, stages) : findings_text(findings, options.color);
  return text;
}

}  // namespace stagegate
