#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units.h"
#include "report/finding_text.h"
#include "report/report.h"
#include "report/terminal.h"

namespace stagegate {
namespace {

constexpr std::size_t kTextWidth = 100;

std::string name_line(const Application& application, Color color) {
  const auto name = one_line(application.name.value_or("application without a name"));
  const auto id = application.id ? fmt::format(" ({})", one_line(*application.id)) : std::string();
  return paint(name, Style::bold, color) + id + '\n';
}

std::string duration_text(const Application& application) {
  if (!application.start_ms || !application.end_ms) {
    return "duration unknown";
  }
  return format_duration(std::chrono::milliseconds(*application.end_ms - *application.start_ms));
}

std::string facts_line(const Application& application, Color color) {
  std::vector<std::string> facts;
  facts.push_back(application.spark_version ? "Spark " + one_line(*application.spark_version) : "Spark version unknown");
  facts.push_back(duration_text(application));
  facts.push_back(application.cores ? counted(static_cast<std::size_t>(*application.cores), "core") : "cores unknown");
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

// Over the stages, as far as they have the metric at all.
std::optional<std::int64_t> sum_of(std::span<const Stage> stages, Metric metric) {
  std::optional<std::int64_t> sum;
  for (const auto& stage : stages) {
    if (const auto& values = stage.metrics[index_of(metric)]) {
      sum = sum.value_or(0) + values->sum;
    }
  }
  return sum;
}

struct Total {
  Metric metric;
  std::string_view words;
};

constexpr std::array<Total, 5> kTotals{{{Metric::input_bytes, "input"},
                                        {Metric::output_bytes, "output"},
                                        {Metric::shuffle_read_bytes, "shuffle read"},
                                        {Metric::shuffle_write_bytes, "shuffle write"},
                                        {Metric::disk_spill_bytes, "spill"}}};

std::string total_line(std::span<const Stage> stages) {
  std::size_t tasks = 0;
  std::int64_t failed = 0;
  for (const auto& stage : stages) {
    tasks += static_cast<std::size_t>(stage.tasks);
    failed += stage.failed;
  }
  std::vector<std::string> parts{counted(stages.size(), "stage"), counted(tasks, "task")};
  if (failed > 0) {
    parts.push_back(fmt::format("{} failed", failed));
  }
  for (const auto& [metric, words] : kTotals) {
    if (const auto sum = sum_of(stages, metric); sum && (*sum > 0 || metric != Metric::disk_spill_bytes)) {
      parts.push_back(fmt::format("{} {}", words, format_bytes(*sum)));
    }
  }
  if (const auto ms = sum_of(stages, Metric::duration_ms)) {
    parts.push_back("task time " + format_duration(std::chrono::milliseconds(*ms)));
  }
  return fmt::format("total: {}\n", join(parts, ", "));
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

std::string no_findings_text(const Application& application, std::span<const Stage> stages) {
  if (stages.empty()) {
    return "No findings: there is no stage to look at.\n";
  }
  if (!application.evidence.complete()) {
    return "No findings in what is there, but the evidence is incomplete.\n";
  }
  return "No findings: no rule speaks on any stage.\n";
}

}  // namespace

std::string render_report_text(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings,
                               const StageTableOptions& options) {
  std::string text = name_line(application, options.color) + facts_line(application, options.color) + problem_lines(application.evidence);
  text += '\n' + render_stage_table(application, stages, findings, options);
  text += total_line(stages) + '\n';
  text += findings.empty() ? no_findings_text(application, stages) : findings_text(findings, options.color);
  return text;
}

}  // namespace stagegate
