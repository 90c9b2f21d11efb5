#include "app/run_evidence.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "baseline/effective_conf.h"
#include "identity/identify.h"
#include "model/pool_attempts.h"

namespace stagegate {
namespace {

// The reasons why the evidence is not whole, a line each.
std::string describe(const std::vector<EvidenceProblem>& problems) {
  std::vector<std::string> lines;
  lines.reserve(problems.size());
  for (const auto& problem : problems) {
    lines.push_back(fmt::format("{}: {}; to mend it: {}", problem.code, problem.message, problem.advice));
  }
  return join(lines, "\n");
}

// The last attempt of a stage.
const StageAttempt& last_attempt(const Application& application, const Stage& stage) {
  return *std::find_if(application.stages.rbegin(), application.stages.rend(),
                       [&](const StageAttempt& attempt) { return attempt.id == stage.id; });
}

// Adaptive execution cancels stages that its query turns out not to need, such as the other side of an empty one; the query succeeds all
// the same. How far they came is chance.
bool was_not_needed(const Application& application, const Stage& stage) {
  return last_attempt(application, stage).status == StageStatus::failed &&
         std::any_of(application.executions.begin(), application.executions.end(), [&](const SqlExecution& execution) {
           return stage.sql_execution == execution.id && execution.ended && execution.error == "";
         });
}

// Stages that failed for good although the job ended well (it caught the exception, or stopped its context while they ran), a line each:
// what they would have done is not known.
std::vector<std::string> failed_stages(const Application& application, const std::vector<Stage>& stages) {
  std::vector<std::string> lines;
  for (const auto& stage : stages) {
    const auto& last = last_attempt(application, stage);
    if (last.status == StageStatus::failed) {
      lines.push_back(fmt::format("stage {} ({}) failed with {} of {} tasks done: {}", stage.id, stage.key.label, stage.tasks,
                                  std::max(stage.tasks, last.tasks.declared), last.failure_reason.value_or("no reason given")));
    }
  }
  return lines;
}

// The properties that the variant asks for, the master among them.
std::map<std::string, ConfValue> asked_of(const JobVariant& job_variant) {
  auto asked = job_variant.conf;
  if (job_variant.spark.master) {
    asked["spark.master"] = {*job_variant.spark.master, "[spark]"};
  }
  return asked;
}

}  // namespace

RunEvidence identify_run(Application application) {
  RunEvidence run{.application = std::move(application), .stages = {}, .traits = {}};
  run.stages = pool_attempts(run.application);
  std::erase_if(run.stages, [&](const Stage& stage) { return was_not_needed(run.application, stage); });
  run.traits = identify(run.application, run.stages);
  return run;
}

std::optional<EvidenceTrouble> trouble_with(const JobVariant& job_variant, const RunEvidence& run) {
  if (const auto& problems = run.application.evidence.problems; !problems.empty()) {
    return EvidenceTrouble{VariantState::no_evidence, "the event log is not whole, so nothing is judged", describe(problems)};
  }
  if (const auto other = overridden_properties(asked_of(job_variant), run.application); !other.empty()) {
    return EvidenceTrouble{VariantState::no_evidence, "the run was not this variant, so nothing is judged", join(other, "\n")};
  }
  if (const auto failed = failed_stages(run.application, run.stages); !failed.empty()) {
    return EvidenceTrouble{VariantState::no_evidence, "the job ended well, but not all of its stages did, so nothing is judged",
                           join(failed, "\n")};
  }
  if (run.stages.empty()) {
    return EvidenceTrouble{VariantState::nothing_ran, "the application ran no stage: there is nothing to check", {}};
  }
  return std::nullopt;
}

}  // namespace stagegate
