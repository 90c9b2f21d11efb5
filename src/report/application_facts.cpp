#include "report/application_facts.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/saturating.h"
#include "base/text.h"
#include "base/units.h"
#include "report/terminal.h"

namespace stagegate {
namespace {

std::string duration_text(const Application& application) {
  if (!application.start_ms || !application.end_ms) {
    return "duration unknown";
  }
  return format_duration(std::chrono::milliseconds(*application.end_ms - *application.start_ms));
}

// Over the stages, as far as they have the metric at all.
std::optional<std::int64_t> sum_of(std::span<const Stage> stages, Metric metric) {
  std::optional<std::int64_t> sum;
  for (const auto& stage : stages) {
    if (const auto& values = stage.metrics[index_of(metric)]) {
      sum = saturating_add(sum.value_or(0), values->sum);
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
    text += problem.advice.empty() ? "" : fmt::format("    to mend it: {}\n", one_line(problem.advice));
  }
  return text;
}

}  // namespace

std::string application_name(const Application& application) {
  auto name = one_line(application.name.value_or(""));
  return name.empty() ? "application without a name" : name;
}

std::vector<std::string> application_facts(const Application& application) {
  return {
      application.spark_version ? "Spark " + one_line(*application.spark_version) : "Spark version unknown",
      duration_text(application),
      application.cores ? counted(static_cast<std::size_t>(*application.cores), "core") : "cores unknown",
  };
}

std::string application_lines(const Application& application, Color color) {
  return name_line(application, color) + facts_line(application, color) + problem_lines(application.evidence);
}

std::string totals_text(std::span<const Stage> stages) {
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
  return join(parts, ", ");
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

}  // namespace stagegate
