// `stagegate report --stage ID`: one stage in the terminal, from what it is to what to do about it.
#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units.h"
#include "report/application_facts.h"
#include "report/finding_text.h"
#include "report/stage_heading.h"
#include "report/stage_lines.h"
#include "report/stage_sections.h"
#include "report/stage_view.h"
#include "report/terminal.h"

namespace stagegate {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kMaxValueWidth = 400;
constexpr std::size_t kMinWidth = 60;

// A table of names and values, each value wrapped; what is empty is left out.
class Facts {
 public:
  explicit Facts(const StageTextOptions& options) : options_(options) {}

  void add(std::string_view name, std::string_view text, Style style = Style::plain) {
    const auto lines = wrap(one_line(text, kMaxValueWidth), options_.width - kNameWidth - kIndent);
    for (const auto& line : lines) {
      const auto heading = paint(name, Style::dim, options_.color) + std::string(kNameWidth - display_width(name), ' ');
      text_ += line.empty() ? "" : fmt::format("{:{}}{}{}\n", "", kIndent, heading, paint(line, style, options_.color));
      name = "";
    }
  }

  std::string text() const { return text_; }

 private:
  static constexpr std::size_t kNameWidth = 15;

  const StageTextOptions& options_;
  std::string text_;
};

std::string title(const StageView& view) {
  const auto label = view.key.label.empty() ? std::string(without_foreign_place(view.last().name)) : view.key.label;
  return fmt::format("stage {}: {}", view.id, one_line(label));
}

std::string ids_text(const std::vector<std::int64_t>& ids) {
  std::vector<std::string> words;
  for (const auto id : ids) {
    words.push_back(fmt::format("{}", id));
  }
  return join(words, ", ");
}

// What the author said of the stage need not be said twice.
std::string sql_text(const Application& application, const StageAttempt& stage) {
  if (!stage.sql_execution) {
    return {};
  }
  const auto& all = application.executions;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const SqlExecution& execution) { return execution.id == *stage.sql_execution; });
  const auto description = found == all.end() ? std::string() : found->description;
  return description.empty() || description == stage.description ? fmt::format("execution {}", *stage.sql_execution)
                                                                 : fmt::format("execution {}: {}", *stage.sql_execution, description);
}

void add_neighbours(Facts& facts, std::string_view name, const std::vector<NeighbourView>& neighbours) {
  for (const auto& neighbour : neighbours) {
    facts.add(name,
              neighbour.label.empty() ? fmt::format("stage {}", neighbour.id) : fmt::format("stage {}: {}", neighbour.id, neighbour.label));
    name = "";
  }
}

std::string stage_facts(const StageView& view, const StageTextOptions& options) {
  const auto& stage = view.last();
  Facts facts(options);
  facts.add("name in Spark", stage.name);
  facts.add(stage.jobs.size() > 1 ? "jobs" : "job", ids_text(stage.jobs));
  facts.add("group", stage.group.value_or(""));
  facts.add("description", stage.description.value_or(""));
  facts.add("SQL", sql_text(*view.application, stage));
  add_neighbours(facts, "reads from", view.reads_from);
  add_neighbours(facts, "read by", view.read_by);
  return facts.text();
}

std::string status_text(const StageAttempt& attempt) {
  switch (attempt.status) {
    case StageStatus::complete:
      return "complete";
    case StageStatus::failed:
      return "FAILED";
    case StageStatus::active:
      return "active: the log ends before the stage does";
    case StageStatus::skipped:
      return "skipped: what it would have written was there already";
    case StageStatus::pending:
      return "pending: it was never started";
    case StageStatus::unknown:
      return "unknown";
  }
  return {};
}

Style status_style(StageStatus status) {
  return status_word(status).second;
}

std::string count_text(const StageAttempt& attempt) {
  const auto& tasks = attempt.tasks;
  auto text = fmt::format("{} of {} succeeded", format_count(tasks.succeeded), format_count(tasks.declared));
  text += tasks.failed > 0 ? fmt::format(", {} failed", format_count(tasks.failed)) : "";
  text += tasks.killed > 0 ? fmt::format(", {} killed", format_count(tasks.killed)) : "";
  return text + (attempt.cores ? fmt::format("; on {}", counted(static_cast<std::size_t>(*attempt.cores), "core")) : "");
}

std::string time_text(const StageAttempt& attempt) {
  if (!attempt.submitted_ms) {
    return {};
  }
  const auto from = format_utc(*attempt.submitted_ms);
  if (!attempt.completed_ms) {
    return fmt::format("from {}, without an end", from);
  }
  const std::chrono::milliseconds duration(*attempt.completed_ms - *attempt.submitted_ms);
  return fmt::format("{}, from {} to {}", format_duration(duration), from, format_utc(*attempt.completed_ms));
}

std::string speculation_text(const TaskCounts& tasks) {
  if (tasks.speculative == 0) {
    return {};
  }
  return tasks.speculative == 1 ? "1 copy of a slow task" : fmt::format("{} copies of slow tasks", format_count(tasks.speculative));
}

std::string wasted_text(const StageAttempt& attempt) {
  std::vector<std::string> parts;
  for (const auto& info : kMetrics) {
    if (const auto value = attempt.wasted[index_of(info.metric)]; value && *value != 0) {
      parts.push_back(fmt::format("{} {}", metric_words(info.name), measure_text(*value, detail_unit(info.unit))));
    }
  }
  return join(parts, ", ");
}

std::string requests_text(const std::map<std::string, std::string>& requests) {
  std::vector<std::string> parts;
  for (const auto& [name, amount] : requests) {
    parts.push_back(fmt::format("{} {}", name, amount));
  }
  return join(parts, ", ");
}

std::string profile_text(const AttemptView& view) {
  if (view.profile == nullptr) {
    return view.attempt->resource_profile == 0 ? std::string() : fmt::format("profile {}", view.attempt->resource_profile);
  }
  return fmt::format("profile {}: executor {}; task {}", view.profile->id, requests_text(view.profile->executor),
                     requests_text(view.profile->task));
}

std::string attempt_facts(const AttemptView& view, const StageTextOptions& options) {
  const auto& attempt = *view.attempt;
  Facts facts(options);
  facts.add("status", status_text(attempt), status_style(attempt.status));
  facts.add("", reason_line(attempt.failure_reason.value_or("")), Style::red);
  facts.add("tasks", ran(attempt) ? count_text(attempt) : "");
  facts.add("ran", time_text(attempt));
  facts.add("speculation", speculation_text(attempt.tasks));
  facts.add("wasted", wasted_text(attempt));
  facts.add("resources", profile_text(view));
  return facts.text();
}

std::string attempt_text(const StageView& view, const AttemptView& attempt, const StageTextOptions& options) {
  return attempt_facts(attempt, options) + failures_section(*attempt.attempt, options) + spreads_section(attempt.spreads, options) +
         tasks_section(attempt.largest, options) + operators_section(attempt.operators, options) +
         cached_section(*view.application, *attempt.attempt, options);
}

std::string attempts_text(const StageView& view, const StageTextOptions& options) {
  if (view.attempts.size() == 1 && view.last().attempt == 0) {
    return attempt_text(view, view.attempts.front(), options);
  }
  std::string text;
  for (const auto& attempt : view.attempts) {
    const auto heading = fmt::format("attempt {}.{}", view.id, attempt.attempt->attempt);
    text += fmt::format("\n{}\n{}", paint(heading, Style::bold, options.color), attempt_text(view, attempt, options));
  }
  return text;
}

}  // namespace

std::string render_stage_text(const StageView& view, const StageTextOptions& wanted) {
  auto options = wanted;
  options.width = std::max(options.width, kMinWidth);
  return application_lines(*view.application, options.color) + '\n' + paint(title(view), Style::bold, options.color) + '\n' +
         stage_facts(view, options) + attempts_text(view, options) +
         (view.findings.empty() ? "" : '\n' + findings_text(view.findings, options.color));
}

}  // namespace stagegate
