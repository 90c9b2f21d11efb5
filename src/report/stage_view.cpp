#include "report/stage_view.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/text.h"

namespace stagegate {
namespace {

// Where numbers are missing between the first and the last, the nearest are named.
std::string known_stages(const std::vector<StageAttempt>& attempts, std::int32_t wanted) {
  if (attempts.empty()) {
    return "the application has no stages";
  }
  const auto first = attempts.front().id;
  const auto last = attempts.back().id;
  auto text = first == last ? fmt::format("the application has only stage {}", first)
                            : fmt::format("the application has stages {} to {}", first, last);
  if (wanted > first && wanted < last) {
    const auto above = std::find_if(attempts.begin(), attempts.end(), [&](const StageAttempt& attempt) { return attempt.id > wanted; });
    text += fmt::format(", the nearest are {} and {}", std::prev(above)->id, above->id);
  }
  return text;
}

std::string known_attempts(const std::vector<AttemptView>& attempts) {
  std::vector<std::string> numbers;
  for (const auto& view : attempts) {
    numbers.push_back(fmt::format("{}.{}", view.attempt->id, view.attempt->attempt));
  }
  return join(numbers, ", ");
}

const ResourceProfile* profile_of(const Application& application, std::int64_t id) {
  const auto& profiles = application.resource_profiles;
  const auto found = std::find_if(profiles.begin(), profiles.end(), [&](const ResourceProfile& profile) { return profile.id == id; });
  return id == 0 || found == profiles.end() ? nullptr : &*found;
}

StageKey key_of(std::span<const Stage> stages, std::int32_t id) {
  const auto found = std::find_if(stages.begin(), stages.end(), [&](const Stage& stage) { return stage.id == id; });
  return found == stages.end() ? StageKey() : found->key;
}

std::vector<NeighbourView> neighbour_views(std::span<const Stage> stages, const std::vector<std::int32_t>& ids) {
  std::vector<NeighbourView> views;
  for (const auto id : ids) {
    views.push_back({.id = id, .label = key_of(stages, id).label});
  }
  return views;
}

std::vector<AttemptView> attempt_views(const Application& application, std::int32_t id) {
  std::vector<AttemptView> views;
  for (const auto* attempt : attempts_of(application, id)) {
    views.push_back({.attempt = attempt, .spreads = {}, .largest = {}, .operators = {}, .profile = nullptr});
  }
  return views;
}

void fill(AttemptView& view, const Application& application) {
  view.spreads = spreads_of(*view.attempt);
  view.largest = large_tasks(application, *view.attempt);
  view.operators = stage_operators(application, *view.attempt);
  view.profile = profile_of(application, view.attempt->resource_profile);
}

std::optional<std::int64_t> at(const PackedColumn& column, std::size_t row) {
  return column.empty() ? std::nullopt : std::optional(column[row]);
}

std::optional<Metric> records_of(Metric metric) {
  if (metric == Metric::shuffle_read_bytes) {
    return Metric::shuffle_read_records;
  }
  return metric == Metric::input_bytes ? std::optional(Metric::input_records) : std::nullopt;
}

LargeTask large_task(const Application& application, const TaskColumns& tasks, Metric by, std::size_t row) {
  LargeTask task;
  task.partition = tasks.partitions[row];
  task.value = tasks.metrics[index_of(by)][row];
  task.task_id = at(tasks.task_ids, row);
  task.attempt_number = at(tasks.attempt_numbers, row);
  const auto place = at(tasks.places, row);
  if (place && static_cast<std::size_t>(*place) < application.places.size()) {
    task.place = &application.places[static_cast<std::size_t>(*place)];
  }
  if (const auto records = records_of(by)) {
    task.records = at(tasks.metrics[index_of(*records)], row);
  }
  task.duration_ms = at(tasks.metrics[index_of(Metric::duration_ms)], row);
  return task;
}

std::vector<std::size_t> largest_rows(const TaskColumns& tasks, Metric by) {
  const auto& column = tasks.metrics[index_of(by)];
  std::vector<std::size_t> rows(column.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rows[row] = row;
  }
  const auto larger = [&](std::size_t a, std::size_t b) {
    return column[a] != column[b] ? column[a] > column[b] : tasks.partitions[a] < tasks.partitions[b];
  };
  const auto shown = std::min(rows.size(), kMaxLargeTasks);
  std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(shown), rows.end(), larger);
  rows.resize(shown);
  return rows;
}

}  // namespace

LargeTasks large_tasks(const Application& application, const StageAttempt& attempt) {
  for (const auto by : {Metric::shuffle_read_bytes, Metric::input_bytes, Metric::duration_ms}) {
    const auto& values = attempt.distributions[index_of(by)];
    if (!values || values->max <= 0) {
      continue;
    }
    LargeTasks largest{.by = by, .median = values->median, .tasks = {}};
    for (const auto row : largest_rows(attempt.winners, by)) {
      largest.tasks.push_back(large_task(application, attempt.winners, by, row));
    }
    return largest;
  }
  return {};
}

Result<StageView> view_stage(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings,
                             const StageChoice& choice, const StageNeighbours& neighbours) {
  StageView view;
  view.application = &application;
  view.id = choice.id;
  view.attempts = attempt_views(application, choice.id);
  if (view.attempts.empty()) {
    return fail(ErrorKind::usage, fmt::format("there is no stage {}; {}", choice.id, known_stages(application.stages, choice.id)));
  }
  if (choice.attempt) {
    const auto known = known_attempts(view.attempts);
    std::erase_if(view.attempts, [&](const AttemptView& attempt) { return attempt.attempt->attempt != *choice.attempt; });
    if (view.attempts.empty()) {
      return fail(ErrorKind::usage, fmt::format("there is no attempt {}.{}; the stage has {}", choice.id, *choice.attempt, known));
    }
  }
  for (auto& attempt : view.attempts) {
    fill(attempt, application);
  }
  view.key = key_of(stages, choice.id);
  view.reads_from = neighbour_views(stages, neighbours.reads_from);
  view.read_by = neighbour_views(stages, neighbours.read_by);
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(view.findings),
               [&](const Finding& finding) { return finding.stage_id == choice.id; });
  return view;
}

}  // namespace stagegate
