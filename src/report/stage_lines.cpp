#include "report/stage_lines.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "base/error_text.h"
#include "base/text.h"
#include "report/stage_heading.h"
#include "report/terminal.h"

namespace stagegate {
namespace {

using Labels = std::map<std::int32_t, std::string_view>;

Labels labels_of(std::span<const Stage> stages) {
  Labels labels;
  for (const auto& stage : stages) {
    if (!stage.key.label.empty()) {
      labels.emplace(stage.id, stage.key.label);
    }
  }
  return labels;
}

std::string label_of(const StageAttempt& attempt, const Labels& labels) {
  const auto label = labels.find(attempt.id);
  return one_line(label != labels.end() ? label->second : without_foreign_place(attempt.name));
}

// Attempts stand in the order of (id, attempt).
bool is_last_attempt(const std::vector<StageAttempt>& attempts, std::size_t index) {
  return index + 1 == attempts.size() || attempts[index + 1].id != attempts[index].id;
}

std::vector<const Finding*> findings_of(std::int32_t stage_id, std::span<const Finding> findings) {
  std::vector<const Finding*> own;
  for (const auto& finding : findings) {
    if (finding.stage_id == stage_id) {
      own.push_back(&finding);
    }
  }
  return own;
}

std::optional<std::int64_t> sort_value(const StageAttempt& attempt, StageSort sort) {
  switch (sort) {
    case StageSort::stage:
      return std::nullopt;
    case StageSort::tasks:
      return attempt.tasks.succeeded;
    case StageSort::shuffle_read:
      return total(attempt, Metric::shuffle_read_bytes);
    case StageSort::shuffle_write:
      return total(attempt, Metric::shuffle_write_bytes);
    case StageSort::median_time:
      return median_time_quarters(attempt);
    case StageSort::slowest_time:
      return slowest_time_ms(attempt);
  }
  return std::nullopt;
}

void sort_by_heading(std::vector<StageLine>& lines) {
  std::map<std::string, std::size_t> order;
  for (const auto& line : lines) {
    order.emplace(line.heading, order.size());
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [&](const StageLine& a, const StageLine& b) { return order.at(a.heading) < order.at(b.heading); });
}

// std::optional orders absent ones lowest, so they come last.
void sort_by_value(std::vector<StageLine>& lines, StageSort sort) {
  std::stable_sort(lines.begin(), lines.end(),
                   [&](const StageLine& a, const StageLine& b) { return sort_value(*a.attempt, sort) > sort_value(*b.attempt, sort); });
}

}  // namespace

std::vector<StageLine> stage_lines(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings,
                                   StageFilter filter, StageSort sort) {
  const auto labels = labels_of(stages);
  std::vector<StageLine> lines;
  for (std::size_t i = 0; i < application.stages.size(); ++i) {
    const auto& attempt = application.stages[i];
    if (filter == StageFilter::all || ran(attempt)) {
      const bool last = is_last_attempt(application.stages, i);
      lines.push_back({.attempt = &attempt,
                       .heading = stage_heading(application, attempt),
                       .label = label_of(attempt, labels),
                       .findings = last ? findings_of(attempt.id, findings) : std::vector<const Finding*>()});
    }
  }
  sort == StageSort::stage ? sort_by_heading(lines) : sort_by_value(lines, sort);
  return lines;
}

std::string stage_number(const StageAttempt& attempt) {
  return attempt.attempt == 0 ? fmt::format("{}", attempt.id) : fmt::format("{}.{}", attempt.id, attempt.attempt);
}

std::string tasks_text(const StageAttempt& attempt) {
  const auto& tasks = attempt.tasks;
  return tasks.succeeded == tasks.declared ? fmt::format("{}", tasks.succeeded) : fmt::format("{}/{}", tasks.succeeded, tasks.declared);
}

std::string reason_line(std::string_view text, std::size_t max_width) {
  constexpr std::string_view kTraceback = "Traceback (most recent call last):";
  auto line = first_line(text);
  if (line.ends_with(kTraceback)) {
    line.resize(line.size() - kTraceback.size());
    line += error_line(text.substr(text.find(kTraceback)));
  }
  return one_line(line, max_width);
}

std::string full_label(const StageLine& line) {
  return line.label.find(line.heading) != std::string::npos ? line.label : fmt::format("{}: {}", line.heading, line.label);
}

std::pair<std::string_view, Style> status_word(StageStatus status) {
  switch (status) {
    case StageStatus::complete:
      return {"", Style::plain};
    case StageStatus::failed:
      return {"FAILED", Style::red};
    case StageStatus::active:
      return {"active", Style::yellow};
    case StageStatus::skipped:
      return {"skipped", Style::dim};
    case StageStatus::pending:
      return {"pending", Style::dim};
    case StageStatus::unknown:
      return {"unknown", Style::yellow};
  }
  return {"", Style::plain};
}

std::optional<std::int64_t> total(const StageAttempt& attempt, Metric metric) {
  return attempt.totals[index_of(metric)];
}

std::optional<std::int64_t> median_time_quarters(const StageAttempt& attempt) {
  const auto& times = attempt.distributions[index_of(Metric::duration_ms)];
  return times ? std::optional(times->median.quarters) : std::nullopt;
}

std::optional<std::int64_t> slowest_time_ms(const StageAttempt& attempt) {
  const auto& times = attempt.distributions[index_of(Metric::duration_ms)];
  return times ? std::optional(times->max) : std::nullopt;
}

}  // namespace stagegate
