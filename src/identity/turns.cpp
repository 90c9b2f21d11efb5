#include "identity/turns.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

namespace stagegate {
namespace {

struct Span {
  std::int64_t start = 0;
  std::int64_t end = 0;
};

void add(std::map<std::int64_t, Span>& spans, std::int64_t action, std::optional<std::int64_t> start, std::optional<std::int64_t> end) {
  if (start) {
    spans.emplace(action, Span{.start = *start, .end = std::max(*start, end.value_or(*start))});
  }
}

std::map<std::int64_t, Span> spans_of(const Application& application) {
  std::map<std::int64_t, Span> spans;
  for (const auto& execution : application.executions) {
    add(spans, action_of_execution(execution.id), execution.started_ms, execution.ended_ms);
  }
  for (const auto& job : application.jobs) {
    add(spans, action_of_job(job.id), job.submitted_ms, job.ended_ms);
  }
  return spans;
}

// The turn of each action, by its number. One that starts while another one runs shares its turn.
std::map<std::int64_t, std::int64_t> turns_by_time(const std::map<std::int64_t, Span>& spans,
                                                   const std::map<std::int64_t, std::size_t>& first) {
  std::vector<std::pair<std::int64_t, Span>> actions;
  for (const auto& [action, stage] : first) {
    actions.emplace_back(action, spans.at(action));
  }
  std::stable_sort(actions.begin(), actions.end(), [](const auto& a, const auto& b) { return a.second.start < b.second.start; });
  std::map<std::int64_t, std::int64_t> turns;
  std::int64_t turn = -1;
  std::optional<std::int64_t> end;
  for (const auto& [action, span] : actions) {
    const bool overlaps = end && span.start < *end;
    turn += overlaps ? 0 : 1;
    end = std::max(end.value_or(span.end), span.end);
    turns[action] = turn;
  }
  return turns;
}

}  // namespace

std::int64_t action_of_execution(std::int64_t id) {
  return static_cast<std::int64_t>(2 * static_cast<std::uint64_t>(id));
}

std::int64_t action_of_job(std::int64_t id) {
  return static_cast<std::int64_t>(2 * static_cast<std::uint64_t>(id) + 1);
}

std::vector<std::int64_t> turns_of(const Application& application, const std::vector<StageTraits>& traits) {
  std::map<std::int64_t, std::size_t> first;  // the first stage of each action
  for (std::size_t i = 0; i < traits.size(); ++i) {
    if (traits[i].action) {
      first.emplace(*traits[i].action, i);
    }
  }
  const auto spans = spans_of(application);
  const bool has_times =
      !first.empty() && std::all_of(first.begin(), first.end(), [&](const auto& one) { return spans.contains(one.first); });
  const auto by_time = has_times ? turns_by_time(spans, first) : std::map<std::int64_t, std::int64_t>();
  std::vector<std::int64_t> turns;
  for (std::size_t i = 0; i < traits.size(); ++i) {
    const auto& action = traits[i].action;
    const auto place = static_cast<std::int64_t>(action ? first.at(*action) : i);
    turns.push_back(has_times && action ? by_time.at(*action) : place);
  }
  return turns;
}

}  // namespace stagegate
