#include "app/judge_variant.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "baseline/baseline_json.h"
#include "baseline/judge.h"
#include "identity/identify.h"
#include "model/baseline.h"
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

// For each stage, the baseline's stage that it is, or null.
std::vector<const BaselineStage*> accepted_stages(const std::optional<Baseline>& baseline, const std::vector<Stage>& stages) {
  std::vector<const BaselineStage*> accepted(stages.size(), nullptr);
  if (!baseline) {
    return accepted;
  }
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
      accepted[i] = &baseline->stages[*matches[i]];
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

void set_not_judged(VariantResult& result, std::optional<RunEvidence> evidence, NotJudged why) {
  if (evidence) {
    result.application = std::move(evidence->application);
    result.stages = std::move(evidence->stages);
  }
  set_state(result, why.state, std::move(why.reason), std::move(why.detail));
}

Status judge_variant(const Project& project, const JobVariant& job_variant, std::vector<RunEvidence> runs, const std::string& today,
                     VariantResult& result, std::vector<std::size_t>& used_suppressions) {
  result.application = std::move(runs.front().application);
  result.stages = std::move(runs.front().stages);
  result.state = VariantState::judged;
  const auto& manifest = project.manifest;
  std::optional<Baseline> baseline;
  if (manifest.use_baselines) {
    baseline = usable_baseline(project, job_variant, make_baseline(job_variant, *result.application, result.stages, {}), result);
  }
  const auto configured = configure(project.rules, manifest.rules, job_variant.job, job_variant.variant);
  const auto findings = evaluate(configured, result.stages, accepted_stages(baseline, result.stages));
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
