#include "app/judge_variant.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "baseline/baseline_json.h"
#include "baseline/effective_conf.h"
#include "baseline/judge.h"
#include "identity/identify.h"
#include "identity/run_facts.h"
#include "model/baseline.h"
#include "model/pool_attempts.h"
#include "rules/evaluate.h"
#include "sys/file.h"

namespace stagegate {
namespace {

void set_state(VariantResult& result, VariantState state, std::string reason, std::string detail = {}) {
  result.state = state;
  result.reason = std::move(reason);
  result.detail = std::move(detail);
}

std::string accept_command(const JobVariant& job_variant) {
  return fmt::format("stagegate baseline accept --job {} --variant {}", job_variant.job, job_variant.variant);
}

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

std::vector<Stage> stages_to_judge(const Application& application) {
  auto stages = pool_attempts(application);
  std::erase_if(stages, [&](const Stage& stage) { return was_not_needed(application, stage); });
  identify(application, stages);
  return stages;
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

// Reads the accepted baseline and holds its conditions against this run's. Absent where there is none that can be used; then RESULT says
// why.
std::optional<Baseline> usable_baseline(const Project& project, const JobVariant& job_variant, const Baseline& current,
                                        VariantResult& result) {
  const auto path = baseline_path(project.manifest, job_variant.job, job_variant.variant);
  if (!is_file(path)) {
    set_state(result, VariantState::no_baseline, fmt::format("{} is not there", result.baseline_file),
              fmt::format("Nothing can be called new without one. To accept what this run did: {}", accept_command(job_variant)));
    return std::nullopt;
  }
  const auto text = read_file(path, ErrorKind::usage);
  auto baseline = text ? read_baseline(*text, result.baseline_file, job_variant.job, job_variant.variant)
                       : Result<Baseline>(tl::unexpected(text.error()));
  if (!baseline) {
    set_state(result, VariantState::baseline_broken, baseline.error().message);
    return std::nullopt;
  }
  if (const auto differing = differing_conditions(*baseline, current); !differing.empty()) {
    set_state(result, VariantState::not_comparable, fmt::format("{} was made under other conditions", result.baseline_file),
              fmt::format("{}\nIf this is meant: {}", join(differing, "\n"), accept_command(job_variant)));
    return std::nullopt;
  }
  return std::move(*baseline);
}

// BASELINE, as far as rules compare with it.
std::optional<AcceptedRun> accepted_run(const std::optional<Baseline>& baseline, const std::vector<Stage>& stages) {
  if (!baseline) {
    return std::nullopt;
  }
  AcceptedRun accepted{.stages = baseline->stages, .partners = std::vector<const BaselineStage*>(stages.size(), nullptr)};
  std::vector<StageKey> before;
  before.reserve(baseline->stages.size());
  for (const auto& stage : baseline->stages) {
    before.push_back(stage.key);
  }
  std::vector<StageKey> after;
  after.reserve(stages.size());
  for (const auto& stage : stages) {
    after.push_back(stage.key);
  }
  const auto matches = match_stages(before, after);
  for (std::size_t i = 0; i < matches.size(); ++i) {
    if (matches[i]) {
      accepted.partners[i] = &baseline->stages[*matches[i]];
    }
  }
  return accepted;
}

// What `baseline accept` would write. Findings that a baseline itself gives rise to (growth) vanish with the acceptance; suppressed
// ones stay the manifest's business.
Baseline pending_baseline(const JobVariant& job_variant, const VariantResult& result) {
  std::vector<Finding> lasting;
  for (const auto& judged : result.findings) {
    if (judged.state != FindingState::suppressed && !judged.finding.compares_with_baseline) {
      lasting.push_back(judged.finding);
    }
  }
  return make_baseline(job_variant, *result.application, result.stages, lasting);
}

}  // namespace

VariantResult start_result(const Project& project, const JobVariant& job_variant) {
  VariantResult result;
  result.job = job_variant.job;
  result.variant = job_variant.variant;
  result.owner = job_variant.owner;
  result.at = job_variant.job_at;
  result.at.file = project.manifest_in_repository;
  if (project.manifest.use_baselines) {
    result.baseline_file = display_path(baseline_path(project.manifest, job_variant.job, job_variant.variant), current_folder());
  }
  for (const auto& configured : configure(project.rules, project.manifest.rules, job_variant.job, job_variant.variant)) {
    result.rules.push_back(configured.rule->id);
  }
  return result;
}

Status judge_variant(const Project& project, const JobVariant& job_variant, Application application, const std::string& today,
                     VariantResult& result, std::vector<std::size_t>& used_suppressions) {
  result.stages = stages_to_judge(application);
  result.application = std::move(application);
  const auto& problems = result.application->evidence.problems;
  if (!problems.empty()) {
    set_state(result, VariantState::no_evidence, "the event log is not whole, so nothing is judged", describe(problems));
    return {};
  }
  if (const auto other = overridden_properties(asked_of(job_variant), *result.application); !other.empty()) {
    set_state(result, VariantState::no_evidence, "the run was not this variant, so nothing is judged", join(other, "\n"));
    return {};
  }
  if (const auto failed = failed_stages(*result.application, result.stages); !failed.empty()) {
    set_state(result, VariantState::no_evidence, "the job ended well, but not all of its stages did, so nothing is judged",
              join(failed, "\n"));
    return {};
  }
  if (result.stages.empty()) {
    set_state(result, VariantState::nothing_ran, "the application ran no stage: there is nothing to check");
    return {};
  }
  result.state = VariantState::judged;
  const auto& manifest = project.manifest;
  std::optional<Baseline> baseline;
  if (manifest.use_baselines) {
    baseline = usable_baseline(project, job_variant, make_baseline(job_variant, *result.application, result.stages, {}), result);
  }
  const auto configured = configure(project.rules, manifest.rules, job_variant.job, job_variant.variant);
  const auto accepted = accepted_run(baseline, result.stages);
  const JudgedRun run{.stages = result.stages, .facts = run_facts_of(*result.application)};
  const auto findings = evaluate(configured, run, accepted ? &*accepted : nullptr);
  if (!findings) {
    set_state(result, VariantState::rule_broken, findings.error().message);
    return {};
  }
  auto judgement = judge(job_variant.job, job_variant.variant, *findings, result.stages, baseline ? &*baseline : nullptr,
                         manifest.use_baselines ? BaselineUse::on : BaselineUse::off, manifest.suppressions, today);
  result.findings = std::move(judgement.findings);
  result.gone = std::move(judgement.gone);
  used_suppressions.insert(used_suppressions.end(), judgement.used_suppressions.begin(), judgement.used_suppressions.end());
  if (!manifest.use_baselines) {
    return {};
  }
  return write_file(pending_path(project, job_variant.job, job_variant.variant), write_baseline(pending_baseline(job_variant, result)));
}

}  // namespace stagegate
