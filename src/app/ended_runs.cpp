#include "app/ended_runs.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/judge_variant.h"
#include "app/served_evidence.h"
#include "run/find_evidence.h"
#include "sys/file.h"
#include "sys/interrupt.h"

namespace stagegate {
namespace {

// Enough for a Python traceback with what led to it; the whole output stays in the run's folder.
constexpr std::size_t kOutputLines = 30;

EvidenceTrouble not_started(const JobRun& run) {
  if (!run.problem.empty()) {
    return {VariantState::job_failed, run.problem, {}};
  }
  return {VariantState::not_started,
          interrupt_signal() ? "not started: stagegate was interrupted before its turn"
                             : "not started: a variant before it failed and --fail-fast was given",
          {}};
}

EvidenceTrouble failed(const JobVariant& job_variant, const JobRun& run) {
  return {VariantState::job_failed, fmt::format("the job {}", describe_end(run, job_variant.timeout)), describe_output(run, kOutputLines)};
}

EndedRun read(const JobVariant& job_variant, const JobRun& run) {
  const auto& place = job_variant.evidence;
  const bool is_served = place.history_server && !place.log_dir_is_here;
  auto application = is_served ? read_served_evidence(run, place) : read_evidence(run, place);
  EndedRun ended;
  ended.run = run;
  if (!application) {
    ended.why = {VariantState::no_evidence, application.error().message, {}};
    return ended;
  }
  ended.evidence = identify_run(*std::move(application));
  if (auto why = trouble_with(job_variant, *ended.evidence)) {
    ended.why = *std::move(why);
  }
  return ended;
}

}  // namespace

EndedRun look_at_run(const JobVariant& job_variant, const JobRun& run) {
  switch (run.end) {
    case RunEnd::not_started:
      return {.run = run, .why = not_started(run), .evidence = {}};
    case RunEnd::interrupted:
      return {.run = run, .why = {VariantState::interrupted, "stopped because stagegate was interrupted", {}}, .evidence = {}};
    case RunEnd::signalled:
    case RunEnd::timed_out:
      break;
    case RunEnd::exited:
      if (run.exit_status == 0) {
        return read(job_variant, run);
      }
      break;
  }
  return {.run = run, .why = failed(job_variant, run), .evidence = {}};
}

void EndedRuns::add(int number, EndedRun run) {
  runs_[static_cast<std::size_t>(number) - 1] = std::move(run);
  ++ended_;
}

void EndedRuns::note_times(VariantResult& result) const {
  for (const auto& ended : runs_) {
    const auto& run = ended.run;
    if (run.started_ms) {
      result.started_ms = std::min(*run.started_ms, result.started_ms.value_or(*run.started_ms));
    }
    if (run.duration_ms) {
      result.duration_ms = *run.duration_ms + result.duration_ms.value_or(0);
    }
  }
}

// The first that cannot be judged; one that never started says least.
std::size_t EndedRuns::deciding_run() const {
  const auto first = [&](auto fits) { return static_cast<std::size_t>(std::find_if(runs_.begin(), runs_.end(), fits) - runs_.begin()); };
  const auto bad = first([](const EndedRun& run) { return !run.can_be_judged() && run.why.state != VariantState::not_started; });
  return bad < runs_.size() ? bad : first([](const EndedRun& run) { return !run.can_be_judged(); });
}

std::vector<RunEvidence> EndedRuns::conclude(VariantResult& result) {
  note_times(result);
  result.runs = static_cast<std::int64_t>(runs_.size());
  const auto deciding = deciding_run();
  const bool can_be_judged = deciding == runs_.size();
  auto& run = runs_[can_be_judged ? 0 : deciding];
  result.run_dir = run.run.run_dir.empty() ? "" : display_path(run.run.run_dir, current_folder());
  std::vector<RunEvidence> evidence;
  if (can_be_judged) {
    for (auto& one : runs_) {
      evidence.push_back(*std::exchange(one.evidence, std::nullopt));
    }
    return evidence;
  }
  auto why = std::move(run.why);
  if (runs_.size() > 1) {
    why.reason = fmt::format("run {} of {}: {}", deciding + 1, runs_.size(), why.reason);
  }
  set_trouble(result, std::move(run.evidence), std::move(why));
  return {};
}

}  // namespace stagegate
