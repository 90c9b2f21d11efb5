#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/commands.h"
#include "app/compare_runs.h"
#include "app/console.h"
#include "app/project.h"
#include "base/text.h"
#include "model/verdict.h"
#include "report/compare.h"
#include "run/run_folder.h"
#include "sys/file.h"

namespace stagegate {
namespace {

std::string rendered(const RunPair& pair, const Comparison& comparison, const CompareOptions& options) {
  switch (options.format) {
    case CompareFormat::json:
      return render_compare_json(pair.before, pair.after, comparison);
    case CompareFormat::markdown:
      return render_compare_markdown(pair.before, pair.after, comparison);
    case CompareFormat::text:
      break;
  }
  return render_compare_text(pair.before, pair.after, comparison,
                             {.color = color_for(options.common.color, Stream::out),
                              .reasons = options.explain_match ? MatchReasons::shown : MatchReasons::left_out});
}

bool fails_on(const Finding& finding, const std::vector<FailOn>& conditions) {
  const auto condition = finding.compares_with_baseline ? FailOn::growth : FailOn::new_finding;
  return finding.level == Level::error && std::find(conditions.begin(), conditions.end(), condition) != conditions.end();
}

// What is not whole can hide what it is asked about.
int exit_code_of(const RunPair& pair, const Comparison& comparison, const CompareOptions& options) {
  const bool fails = std::any_of(comparison.rows.begin(), comparison.rows.end(), [&](const StageComparison& row) {
    return std::any_of(row.new_findings.begin(), row.new_findings.end(),
                       [&](const Finding* finding) { return fails_on(*finding, options.fail_on); });
  });
  if (fails) {
    return static_cast<int>(ExitCode::regressed);
  }
  const bool is_whole = pair.before.complete && pair.after.complete;
  return options.fail_on.empty() || is_whole ? 0 : static_cast<int>(ExitCode::not_judged);
}

int compare_pair(const SourceOptions& before, const SourceOptions& after, const CompareOptions& options) {
  const auto pair = read_pair(before, after, options.versions);
  if (!pair) {
    return report_error(pair.error());
  }
  const auto comparison = compare_runs(pair->before, pair->after, pair->matches, options.versions);
  print_result(rendered(*pair, comparison, options));
  for (const auto* run : {&pair->before, &pair->after}) {
    if (!run->complete) {
      print_message(fmt::format("{}: its evidence is incomplete; 'stagegate report' says what is missing", run->name));
    }
  }
  return exit_code_of(*pair, comparison, options);
}

// The runs of two variants that the last `stagegate run` has left, job by job.
int compare_variants(const CompareOptions& options) {
  const auto project = load_project(options.common);
  if (!project) {
    return report_error(project.error());
  }
  const auto found = resolve(project->manifest, {.jobs = options.jobs, .variants = {options.variants[0], options.variants[1]}, .conf = {}});
  if (!found) {
    return report_error(found.error());
  }
  int code = 0;
  std::set<std::string> jobs;
  for (const auto& job_variant : *found) {
    jobs.insert(job_variant.job);
  }
  for (const auto& job : jobs) {
    auto sides = std::pair(options.before, options.after);
    for (auto* side : {&sides.first, &sides.second}) {
      JobVariant one;
      one.job = job;
      one.variant = options.variants[side == &sides.first ? 0 : 1];
      const auto folder = run_folder_path(project->report_dir, one);
      if (!folder || !is_folder(*folder)) {
        return report_error(
            {ErrorKind::evidence, fmt::format("there is no run of {}/{} in {}; start it with 'stagegate run --job {} --variant {}'", job,
                                              one.variant, display_path(project->report_dir, current_folder()), job, one.variant)});
      }
      side->source = display_path(*folder, current_folder());
    }
    code = std::max(code, compare_pair(sides.first, sides.second, options));
  }
  return code;
}

}  // namespace

int compare_command(const CompareOptions& options) {
  return options.variants.empty() ? compare_pair(options.before, options.after, options) : compare_variants(options);
}

}  // namespace stagegate
