#include "app/compare_runs.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/default_findings.h"
#include "app/read_source.h"
#include "baseline/baseline_json.h"
#include "identity/identify.h"
#include "identity/kept_traits.h"
#include "identity/link_stages.h"
#include "identity/match_graphs.h"
#include "identity/run_facts.h"
#include "ingest/spark_address.h"
#include "model/baseline.h"
#include "model/pool_attempts.h"
#include "sys/file.h"

namespace stagegate {
namespace {

enum class RunKind : std::uint8_t { application, baseline };

struct ReadRun {
  RunKind kind = RunKind::application;
  ComparedRun run;
  std::vector<StageTraits> traits;
};

// The text of a baseline file; absent where PATH is something else.
std::optional<std::string> baseline_text(const std::string& path) {
  if (is_address(path) || !path.ends_with(".json") || !is_file(path)) {
    return std::nullopt;
  }
  auto text = read_file(path, ErrorKind::evidence);
  return text && text->find("\"stagegate.baseline/") != std::string::npos ? std::optional(*std::move(text)) : std::nullopt;
}

// "baselines/revenue/adaptive.json" -> "revenue", "adaptive"
std::pair<std::string, std::string> job_and_variant(const std::string& path) {
  const auto slash = path.rfind('/');
  const auto before = slash == 0 ? slash : path.rfind('/', slash - 1);
  return {path.substr(before + 1, slash - before - 1), path.substr(slash + 1, path.size() - slash - 1 - std::string(".json").size())};
}

// A baseline keeps sums only: a stage of it has no spread.
Stage stage_of_baseline(const BaselineStage& kept) {
  Stage stage;
  stage.id = -1;
  stage.key = kept.key;
  stage.tasks = kept.tasks.most;
  stage.plan.counts = kept.plan;
  for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
    if (kept.totals[metric]) {
      stage.metrics[metric] = Distribution{};
      stage.metrics[metric]->count = static_cast<std::size_t>(std::max<std::int64_t>(kept.tasks.most, 0));
      stage.metrics[metric]->sum = kept.totals[metric]->most;
    }
  }
  return stage;
}

Finding finding_of_baseline(const BaselineFinding& kept) {
  Finding finding;
  finding.rule = kept.rule;
  finding.stage_label = kept.stage_label;
  finding.stage_fingerprint = kept.stage_fingerprint;
  finding.value_thousandths = kept.value_thousandths;
  finding.unit = kept.unit;
  return finding;
}

Result<ReadRun> read_baseline_run(const std::string& source, std::string_view text) {
  const auto [job, variant] = job_and_variant(absolute_path(source, current_folder()));
  STAGEGATE_TRY_ASSIGN(baseline, read_baseline(text, source, job, variant));
  ReadRun read{.kind = RunKind::baseline, .run = {}, .traits = {}};
  read.run.name = fmt::format("{} (baseline)", source);
  read.run.spark_version = baseline.conditions.spark;
  read.run.cores = baseline.conditions.cores;
  auto in_order = traits_of(baseline);
  read.traits = std::move(in_order.traits);
  std::transform(in_order.stages.begin(), in_order.stages.end(), std::back_inserter(read.run.stages),
                 [&](std::size_t stage) { return stage_of_baseline(baseline.stages[stage]); });
  std::transform(baseline.findings.begin(), baseline.findings.end(), std::back_inserter(read.run.findings), finding_of_baseline);
  return read;
}

// The folder of a run holds its log.
SourceOptions with_log_of_run(SourceOptions source) {
  if (!is_address(source.source) && is_file(source.source + "/run.json") && is_folder(source.source + "/eventlog")) {
    source.source += "/eventlog";
  }
  return source;
}

Result<ReadRun> read_run(const SourceOptions& source) {
  if (const auto baseline = baseline_text(source.source)) {
    return read_baseline_run(source.source, *baseline);
  }
  STAGEGATE_TRY_ASSIGN(application, read_source(with_log_of_run(source), TaskDepth::judged));
  ReadRun read;
  read.run.stages = pool_attempts(application);
  read.traits = identify(application, read.run.stages, threads_for(source));
  read.run.facts = run_facts_of(application);
  read.run.name = application.name ? fmt::format("{} ({})", source.source, *application.name) : source.source;
  read.run.spark_version = application.spark_version.value_or("");
  read.run.cores = application.cores;
  read.run.complete = application.evidence.complete();
  return read;
}

std::vector<StageMatch> match(const ReadRun& before, const ReadRun& after) {
  const bool are_whole = before.kind == RunKind::application && after.kind == RunKind::application;
  return are_whole ? match_graphs(before.traits, after.traits) : match_kept(before.traits, after.traits);
}

// What the rules say of a run, where WAS is given knowing what the same stages were before. A baseline has its findings.
Status judge_run(ReadRun& read, const ComparedRun* was, std::span<const StageMatch> matches, int threads) {
  if (read.kind == RunKind::baseline) {
    return {};
  }
  const JudgedRun run{.stages = read.run.stages, .facts = read.run.facts};
  std::vector<BaselineStage> kept;
  AcceptedRun accepted;
  if (was != nullptr) {
    std::transform(was->stages.begin(), was->stages.end(), std::back_inserter(kept), kept_of);
    if (major_minor(was->spark_version) != major_minor(read.run.spark_version)) {
      leave_out_across_versions(kept);
    }
    accepted.stages = kept;
    accepted.partners.resize(read.run.stages.size(), nullptr);
    for (const auto& match : matches) {
      accepted.partners[match.after] = &kept[match.before];
    }
  }
  STAGEGATE_TRY_ASSIGN(findings, default_findings(run, was == nullptr ? nullptr : &accepted, threads));
  read.run.findings = std::move(findings);
  return {};
}

}  // namespace

Result<RunPair> read_pair(const SourceOptions& before, const SourceOptions& after, SparkVersions versions) {
  STAGEGATE_TRY_ASSIGN(was, read_run(before));
  STAGEGATE_TRY_ASSIGN(is, read_run(after));
  RunPair pair;
  pair.matches = match(was, is);
  const bool can_be_compared = differences_between(was.run, is.run, versions).empty();
  STAGEGATE_TRY(judge_run(was, nullptr, {}, threads_for(before)));
  STAGEGATE_TRY(judge_run(is, can_be_compared ? &was.run : nullptr, pair.matches, threads_for(after)));
  pair.before = std::move(was.run);
  pair.after = std::move(is.run);
  return pair;
}

}  // namespace stagegate
