#include "ingest/log_assembly.h"

#include <utility>

#include <fmt/format.h>

#include "ingest/looks_like.h"

namespace stagegate {

std::string LogAssembly::place(std::string_view part, std::int64_t line) const {
  return layout_ == Layout::parts ? fmt::format("line {} of {}", line, part) : fmt::format("line {}", line);
}

void LogAssembly::end_part(std::string_view name, const PartSummary& summary) {
  lines_.all += summary.lines;
  lines_.malformed += summary.malformed_lines;
  lines_.unknown_events += summary.unknown_events;
  events_ += summary.events;
  if (broken_lines_ == 0 && summary.broken_lines > 0) {
    first_broken_ = place(name, summary.first_broken_line);
  }
  broken_lines_ += summary.broken_lines;
  begin_ = begin_.empty() && events_ == 0 ? summary.begin : begin_;
  if (!summary.cut) {
    return;
  }
  const auto where = fmt::format("{} {}", summary.cut->in_line ? "in the middle of" : "behind", place(name, summary.lines));
  const auto& damage = summary.cut->damage;
  cuts_.push_back({"stream-cut", damage.empty() ? fmt::format("the log ends {}: what followed is missing", where)
                                                : fmt::format("the log ends {}, because {}: what followed is missing", where, damage)});
}

std::optional<EvidenceProblem> LogAssembly::broken_lines() const {
  if (broken_lines_ == 0) {
    return std::nullopt;
  }
  const auto count = broken_lines_ == 1 ? "1 line is" : fmt::format("{} lines are", broken_lines_);
  return EvidenceProblem{"line-broken", fmt::format("{} broken, the first is {}: what {} said is missing", count, first_broken_,
                                                    broken_lines_ == 1 ? "it" : "they")};
}

tl::unexpected<Error> LogAssembly::no_event(std::string_view name) const {
  if (lines_.all == 0) {
    return fail(ErrorKind::evidence, fmt::format("'{}' is empty: it holds no event of a Spark application", name));
  }
  if (const auto instead = looks_like(begin_); !instead.empty()) {
    return fail(ErrorKind::evidence, fmt::format("'{}' is not an event log: it looks like {}", name, instead));
  }
  const auto lines = lines_.all == 1 ? "its only line is no event" : fmt::format("none of its {} lines is an event", lines_.all);
  return fail(ErrorKind::evidence, fmt::format("'{}' is not an event log: {}", name, lines));
}

Result<Application> LogAssembly::finish(LogParts parts, std::optional<std::chrono::milliseconds> idle, std::string_view name) && {
  if (events_ == 0) {
    return no_event(name);
  }
  auto problems = std::move(parts.problems);
  if (auto broken = broken_lines()) {
    problems.push_back(*std::move(broken));
  }
  problems.insert(problems.end(), cuts_.begin(), cuts_.end());
  auto [application, lost, misplaced] = std::move(builder_).finish(threads_);
  application.spark_version = application.spark_version ? application.spark_version : std::move(parts.spark_version);
  const auto holes =
      find_holes(application, lost, {.in_progress = parts.in_progress, .idle = idle, .parts_gone = parts.parts_gone}, misplaced);
  problems.insert(problems.end(), holes.begin(), holes.end());
  advise(problems);
  application.evidence = {.problems = std::move(problems), .lines = lines_};
  return std::move(application);
}

}  // namespace stagegate
