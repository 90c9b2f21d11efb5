#include "app/judge_variant.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/repeated_runs.h"
#include "base/text.h"
#include "baseline/baseline_json.h"
#include "identity/kept_traits.h"
#include "identity/link_stages.h"
#include "identity/run_facts.h"
#include "model/baseline.h"
#include "model/stage_links.h"
#include "rules/evaluate.h"
#include "sys/file.h"
#include "sys/write_file.h"

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

// The accepted baseline, and which of its stages each stage of this run is.
struct Accepted {
  Baseline baseline;
  StageLinks links;
  AcceptedRun run;  // the stages of `baseline`, as rules see them
};

// The file's baseline. Absent where there is none that can be read; then RESULT says why.
std::optional<Baseline> read_accepted_file(const Project& project, const JobVariant& job_variant, VariantResult& result) {
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
  return std::move(*baseline);
}

// Where the version of Spark is all that differs there is another way out.
std::string_view across_versions_hint(const std::vector<std::string>& differing) {
  const bool is_version_alone = differing.size() == 1 && differing.front().starts_with("spark: ");
  return is_version_alone ? "To compare all the same, without output bytes: --across-versions\n" : "";
}

AcceptedRun accepted_run(const Baseline& baseline, std::size_t count, std::span<const StageMatch> matches) {
  AcceptedRun run{.stages = baseline.stages, .partners = std::vector<const BaselineStage*>(count, nullptr)};
  for (const auto& match : matches) {
    run.partners[match.after] = &baseline.stages[match.before];
  }
  return run;
}

Accepted link(Baseline baseline, std::span<const StageTraits> traits) {
  Accepted accepted{.baseline = std::move(baseline), .links = {}, .run = {}};
  const auto matches = match_baseline(accepted.baseline, traits);
  accepted.run = accepted_run(accepted.baseline, traits.size(), matches);
  accepted.links = links_of(accepted.baseline, traits, matches);
  return accepted;
}

// The baseline, held against the conditions of this run. Absent where it cannot be used; then RESULT says why.
std::optional<Accepted> usable_baseline(const Project& project, const JobVariant& job_variant, std::span<const StageTraits> traits,
                                        const Baseline& current, SparkVersions versions, VariantResult& result) {
  auto baseline = read_accepted_file(project, job_variant, result);
  if (!baseline) {
    return std::nullopt;
  }
  auto accepted = link(std::move(*baseline), traits);
  if (const auto differing = differing_conditions(accepted.baseline, current, accepted.links, versions); !differing.empty()) {
    set_state(
        result, VariantState::not_comparable, fmt::format("{} was made under other conditions", result.baseline_file),
        fmt::format("{}\n{}If this is meant: {}", join(differing, "\n"), across_versions_hint(differing), accept_command(job_variant)));
    return std::nullopt;
  }
  if (const auto& [before, now] = std::pair(accepted.baseline.conditions.spark, current.conditions.spark); before != now) {
    leave_out_across_versions(accepted.baseline.stages);
    result.detail = fmt::format("compared across versions, Spark {} in the baseline and {} now: output bytes are left out", before, now);
  }
  return accepted;
}

// What `baseline accept` would write. Findings that a baseline itself gives rise to (growth) vanish with the acceptance; suppressed
// ones stay the manifest's business.
Baseline pending_baseline(const JobVariant& job_variant, const VariantResult& result, std::span<const StageTraits> traits) {
  std::vector<Finding> lasting;
  for (const auto& judged : result.findings) {
    if (judged.state != FindingState::suppressed && can_be_accepted(judged.finding)) {
      lasting.push_back(judged.finding);
    }
  }
  auto baseline = make_baseline(job_variant, *result.application, result.stages, lasting);
  keep_traits(traits, baseline);
  return baseline;
}

// The findings of all runs. Each run's stages are held against the baseline by themselves.
Result<std::vector<Finding>> find(std::span<const ConfiguredRule> rules, const RepeatedRuns& runs, std::span<const RunFacts> facts,
                                  const std::optional<Accepted>& accepted) {
  std::vector<std::vector<Finding>> findings;
  for (std::size_t run = 0; run < runs.stages.size(); ++run) {
    const JudgedRun judged{.stages = runs.stages[run], .facts = facts[run]};
    const auto& traits = runs.traits[run];
    const auto was = !accepted ? std::nullopt
                     : run == 0
                         ? std::optional(accepted->run)
                         : std::optional(accepted_run(accepted->baseline, traits.size(), match_baseline(accepted->baseline, traits)));
    STAGEGATE_TRY_ASSIGN(found, evaluate(rules, judged, was ? &*was : nullptr));
    findings.push_back(std::move(found));
  }
  return merge_findings(findings, runs.stages, runs.same);
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

void set_trouble(VariantResult& result, std::optional<RunEvidence> run, EvidenceTrouble trouble) {
  if (run) {
    result.application = std::move(run->application);
    result.stages = std::move(run->stages);
  }
  set_state(result, trouble.state, std::move(trouble.reason), std::move(trouble.detail));
}

Status judge_variant(const Project& project, const JobVariant& job_variant, std::vector<RunEvidence> evidence, const JudgeOptions& options,
                     VariantResult& result, std::vector<std::size_t>& used_suppressions) {
  auto runs = hold_together(std::move(evidence));
  result.unstable = unstable_stages(runs.stages, runs.same);
  std::vector<RunFacts> facts;
  std::transform(runs.applications.begin(), runs.applications.end(), std::back_inserter(facts), run_facts_of);
  result.stages = runs.stages.front();
  result.application = std::move(runs.applications.front());
  result.state = VariantState::judged;
  const auto& traits = runs.traits.front();
  const auto& manifest = project.manifest;
  std::optional<Accepted> accepted;
  if (manifest.use_baselines) {
    const auto current = make_baseline(job_variant, *result.application, result.stages, {});
    accepted = usable_baseline(project, job_variant, traits, current, options.versions, result);
  }
  const auto findings = find(configure(project.rules, manifest.rules, job_variant.job, job_variant.variant), runs, facts, accepted);
  if (!findings) {
    set_state(result, VariantState::rule_broken, findings.error().message);
    return {};
  }
  auto judgement = judge(job_variant.job, job_variant.variant, *findings, result.stages, accepted ? &accepted->baseline : nullptr,
                         manifest.use_baselines ? BaselineUse::on : BaselineUse::off, manifest.suppressions, options.today,
                         accepted ? accepted->links : StageLinks());
  result.findings = std::move(judgement.findings);
  result.gone = std::move(judgement.gone);
  used_suppressions.insert(used_suppressions.end(), judgement.used_suppressions.begin(), judgement.used_suppressions.end());
  if (!manifest.use_baselines) {
    return {};
  }
  return write_file(pending_path(project, job_variant.job, job_variant.variant),
                    write_baseline(pending_baseline(job_variant, result, traits)));
}

}  // namespace stagegate
