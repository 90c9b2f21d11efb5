#include "ingest/completeness.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units.h"
#include "ingest/spark_release.h"

namespace stagegate {
namespace {

// So many are named; the rest are counted.
constexpr std::size_t kNamed = 5;

std::string list_some(const std::vector<std::string>& names) {
  const auto named = std::min(names.size(), kNamed);
  auto text = join(std::span(names).first(named), ", ");
  if (names.size() > named) {
    text += fmt::format(" and {} more", names.size() - named);
  }
  return text;
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// A driver that waits for people writes nothing for a while; one that was killed never does again.
constexpr auto kDeadAfter = std::chrono::hours(24);

std::optional<EvidenceProblem> open_application(const Application& application, const LogState& state) {
  if (state.in_progress && state.idle && *state.idle >= kDeadAfter) {
    return EvidenceProblem{"driver-killed",
                           fmt::format("the log is marked as in progress, but nothing has been written to it for {}: its driver "
                                       "was killed, and what it did last is missing",
                                       format_duration(*state.idle))};
  }
  if (state.in_progress) {
    return EvidenceProblem{
        "log-in-progress",
        "the log is marked as in progress: the application is still running, or its driver was killed; what it did last is "
        "missing"};
  }
  if (!application.end_ms) {
    return EvidenceProblem{"driver-killed",
                           "the log does not hold the end of the application: its driver was killed, or the end of the log is missing"};
  }
  return std::nullopt;
}

std::optional<EvidenceProblem> running_application(const ServerState& state) {
  if (!state.running) {
    return std::nullopt;
  }
  return EvidenceProblem{"log-in-progress",
                         "the application has not ended, as far as the server knows: it is still running, or its driver was killed; what "
                         "it did last is missing"};
}

std::optional<EvidenceProblem> open_stages(const Application& application) {
  std::vector<std::string> open;
  for (const auto& stage : application.stages) {
    if (stage.status == StageStatus::active) {
      open.push_back(fmt::format("{}.{} with {} of {} tasks", stage.id, stage.attempt, stage.tasks.succeeded, stage.tasks.declared));
    }
  }
  if (open.empty()) {
    return std::nullopt;
  }
  return EvidenceProblem{"stage-open", fmt::format("{} submitted and did not end ({}): what {} did is known in part only",
                                                   open.size() == 1 ? "1 stage was" : fmt::format("{} stages were", open.size()),
                                                   list_some(open), open.size() == 1 ? "it" : "they")};
}

// All attempts of one stage, in their order.
using Attempts = std::vector<const StageAttempt*>;

// The partitions with a winner in any of the attempts: a later attempt declares only what the earlier ones left open.
std::int64_t pooled_partitions(const Attempts& attempts) {
  if (attempts.size() == 1) {
    return attempts.front()->tasks.succeeded;
  }
  std::set<std::int64_t> partitions;
  for (const auto* attempt : attempts) {
    const auto winners = attempt->winners.partitions.values();
    partitions.insert(winners.begin(), winners.end());
  }
  return static_cast<std::int64_t>(partitions.size());
}

std::int64_t declared_partitions(const Attempts& attempts) {
  std::int64_t declared = 0;
  for (const auto* attempt : attempts) {
    declared = std::max(declared, attempt->tasks.declared);
  }
  return declared;
}

// Spark 3.3 and later says which partition a task of a retried attempt worked on.
bool names_partitions(const std::optional<std::string>& spark_version) {
  return release_of(spark_version) >= SparkRelease{3, 3};
}

std::optional<EvidenceProblem> missing_tasks(const Application& application, std::string_view source) {
  std::map<std::int32_t, Attempts> by_stage;
  for (const auto& stage : application.stages) {
    if (ran(stage)) {
      by_stage[stage.id].push_back(&stage);
    }
  }
  std::vector<std::string> lacking;
  bool retried = false;
  for (const auto& [id, attempts] : by_stage) {
    const auto found = pooled_partitions(attempts);
    const auto declared = declared_partitions(attempts);
    if (attempts.back()->status == StageStatus::complete && found < declared) {
      lacking.push_back(fmt::format("stage {} has {} of {}", id, found, declared));
      retried = retried || attempts.size() > 1;
    }
  }
  if (lacking.empty()) {
    return std::nullopt;
  }
  auto message = fmt::format("{} completed, but the {} lacks task ends ({}): sums are too small",
                             counted(static_cast<std::int64_t>(lacking.size()), "stage", "stages"), source, list_some(lacking));
  if (retried && !names_partitions(application.spark_version)) {
    message += "; Spark before 3.3 does not say which partitions a retried attempt worked on";
  }
  return EvidenceProblem{"tasks-missing", std::move(message)};
}

// What the server counted itself is more than what can be told from the ends that are there.
std::optional<EvidenceProblem> missing_rows(const Application& application, const ServerState& state) {
  if (state.lacking_tasks.empty()) {
    return missing_tasks(application, "server");
  }
  return EvidenceProblem{"tasks-missing",
                         fmt::format("the server has forgotten task ends of {} ({}): sums are too small",
                                     counted(static_cast<std::int64_t>(state.lacking_tasks.size()), "stage attempt", "stage attempts"),
                                     list_some(state.lacking_tasks))};
}

std::optional<EvidenceProblem> dropped_events(const LostEvents& lost, std::string_view whose) {
  if (!lost.any()) {
    return std::nullopt;
  }
  std::vector<std::string> what;
  const auto note = [&](std::int64_t count, std::string_view one, std::string_view many) {
    if (count > 0) {
      what.push_back(counted(count, one, many));
    }
  };
  note(lost.application_starts, "start of the application", "starts of the application");
  note(lost.job_starts, "start of a job", "starts of jobs");
  note(lost.job_ends, "end of a job", "ends of jobs");
  note(lost.stage_submissions, "submission of a stage", "submissions of stages");
  return EvidenceProblem{"events-dropped", fmt::format("events are missing ({}): {}Spark dropped them because its queue was full "
                                                       "(spark.scheduler.listenerbus.eventqueue.capacity)",
                                                       join(what, ", "), whose)};
}

std::optional<EvidenceProblem> repeated_events(const MisplacedEvents& misplaced) {
  if (misplaced.repeated == 0) {
    return std::nullopt;
  }
  return EvidenceProblem{
      "events-repeated",
      fmt::format("{} there twice: a part of the log was read twice, or two applications are in one log, and what they did "
                  "cannot be told apart",
                  counted(misplaced.repeated, "event is", "events are"))};
}

std::optional<EvidenceProblem> early_events(const MisplacedEvents& misplaced) {
  if (misplaced.early == 0) {
    return std::nullopt;
  }
  return EvidenceProblem{"events-disordered",
                         fmt::format("{} out of order, in front of what led to that: the parts of the log have wrong names",
                                     counted(misplaced.early, "event is", "events are"))};
}

using Problems = std::vector<EvidenceProblem>;

Problems those_there(std::initializer_list<std::optional<EvidenceProblem>> candidates) {
  Problems problems;
  for (const auto& candidate : candidates) {
    if (candidate) {
      problems.push_back(*candidate);
    }
  }
  return problems;
}

struct Advice {
  std::string_view code;
  std::string_view advice;
};

constexpr std::string_view kLongerQueue =
    "give the application a longer queue (spark.scheduler.listenerbus.eventqueue.eventLog.capacity, 10000 unless set), and run it again";

constexpr std::array kAdvice{
    Advice{"log-in-progress", "wait until the application has ended, and read its log again"},
    Advice{"driver-killed", "find out from the driver's own output why it ended, and run the application again"},
    Advice{"stage-open", "run the application again, and let it end"},
    Advice{"tasks-missing", kLongerQueue},
    Advice{"events-dropped", kLongerQueue},
    Advice{"events-repeated", "leave out what is there twice, or copy the log again from where Spark wrote it"},
    Advice{"events-disordered", "give the parts the names that Spark gave them, or copy the log again from where Spark wrote it"},
    Advice{"line-broken", "copy the log again from where Spark wrote it; if it is broken there, run the application again"},
    Advice{"stream-cut", "copy the log again from where Spark wrote it; if it is cut off there, run the application again"},
    Advice{"part-missing", "name the folder with every events_<n> file that Spark wrote"},
    Advice{"part-doubled", "take one of the two out of the folder"},
    Advice{"compacted",
           "take the log before the history server compacts it, or let the server keep more files "
           "(spark.history.fs.eventLog.rolling.maxFilesToRetain)"},
};

constexpr std::array kServerAdvice{
    Advice{"log-in-progress", "wait until the application has ended, and read its event log, or ask a history server"},
    Advice{"stage-open", "wait until the application has ended, and read its event log, or ask a history server"},
    Advice{"tasks-missing", "read the event log instead, or let the server keep more tasks (spark.ui.retainedTasks)"},
    Advice{"events-dropped", "read the event log instead: it has a queue of its own"},
    Advice{"events-repeated", "ask again, or read the event log instead"},
    Advice{"events-disordered", "ask again, or read the event log instead"},
    Advice{"retention",
           "read the event log instead, or let the server keep more (spark.ui.retainedJobs, spark.ui.retainedStages, "
           "spark.sql.ui.retainedExecutions)"},
};

void advise(Problems& problems, std::span<const Advice> advice) {
  for (auto& problem : problems) {
    for (const auto& known : advice) {
      if (known.code == problem.code) {
        problem.advice = known.advice;
      }
    }
  }
}

}  // namespace

void advise(std::vector<EvidenceProblem>& problems, EvidenceSource source) {
  advise(problems, source == EvidenceSource::log ? std::span<const Advice>(kAdvice) : std::span<const Advice>(kServerAdvice));
}

std::vector<EvidenceProblem> find_holes(const Application& application, const LostEvents& lost, const LogState& state,
                                        const MisplacedEvents& misplaced) {
  const auto dropped = state.parts_gone ? std::nullopt : dropped_events(lost, "the log was cut, or ");
  return those_there({open_application(application, state), open_stages(application), missing_tasks(application, "log"), dropped,
                      repeated_events(misplaced), early_events(misplaced)});
}

std::vector<EvidenceProblem> find_holes(const Application& application, const LostEvents& lost, const ServerState& state,
                                        const MisplacedEvents& misplaced) {
  return those_there({running_application(state), open_stages(application), missing_rows(application, state), dropped_events(lost, ""),
                      repeated_events(misplaced), early_events(misplaced)});
}

}  // namespace stagegate
