#include <optional>
#include <string>

#include <fmt/format.h>

#include "app/baseline_files.h"
#include "app/commands.h"
#include "app/console.h"
#include "base/text.h"
#include "baseline/baseline_json.h"
#include "baseline/judge.h"
#include "baseline/tighten.h"
#include "identity/link_stages.h"
#include "model/verdict.h"
#include "sys/file.h"
#include "sys/machine.h"
#include "sys/write_file.h"

namespace stagegate {
namespace {

std::string describe(const BaselineFinding& finding) {
  const auto stage = finding.stage_label.empty() ? "the whole run" : finding.stage_label;
  return clean_text(fmt::format("{} at {}", finding.rule, stage));
}

std::string describe(const TightenedFinding& change) {
  const auto before = format_value(change.before.value_thousandths, change.before.unit);
  return change.now_thousandths ? fmt::format("{}: lowered from {} to {}", describe(change.before), before,
                                              format_value(*change.now_thousandths, change.before.unit))
                                : fmt::format("{}: removed, it is gone (accepted {})", describe(change.before), before);
}

// One invocation: tightens file by file and says what it did.
class Prune {
 public:
  explicit Prune(const Project& project) : project_(project) {}

  // The exit code. An error of one file does not keep the others from being pruned.
  int run(const BaselineSelection& selection, Orphans orphans) {
    for (const auto& job_variant : selection.job_variants) {
      take(prune_one(job_variant));
    }
    for (const auto& orphan : selection.orphans) {
      take(orphans == Orphans::remove ? remove(orphan) : name(orphan));
    }
    if (looked_at_ == 0 && code_ == ExitCode::passed) {
      return report_error(
          {ErrorKind::nothing, "nothing to prune: there is no baseline that a run has left a result for; start one with 'stagegate run'"});
    }
    return static_cast<int>(code_);
  }

 private:
  void take(const Status& status) {
    if (status) {
      return;
    }
    report_error(status.error());
    const auto code = exit_code_of(status.error().kind);
    if (code_ == ExitCode::passed || code_ == ExitCode::output_failed || code == ExitCode::usage) {  // 2, 5, 74: the first of these
      code_ = code;
    }
  }

  Status prune_one(const JobVariant& job_variant) {
    STAGEGATE_TRY_ASSIGN(accepted, read_accepted(project_, job_variant));
    STAGEGATE_TRY_ASSIGN(pending, read_pending(project_, job_variant));
    if (!accepted || !pending) {
      print_message(fmt::format("{}: {}: nothing to prune", name_of(job_variant), accepted ? "no result of a run" : "no baseline"));
      return {};
    }
    ++looked_at_;
    const auto links = link_stages(accepted->baseline, pending->baseline);
    if (const auto differing = differing_conditions(accepted->baseline, pending->baseline, links); !differing.empty()) {
      return fail(ErrorKind::baseline, fmt::format("{}: left as it is, since it was made under other conditions than the last run:\n{}",
                                                   accepted->shown, join(differing, "\n")));
    }
    return tighten_file(*accepted, tighten(accepted->baseline, pending->baseline, project_.manifest.suppressions, links));
  }

  static Status tighten_file(const BaselineFile& accepted, const Tightened& tightened) {
    if (!tightened.changes.empty()) {
      STAGEGATE_TRY(write_file(accepted.path, write_baseline(tightened.baseline)));
    }
    for (const auto& change : tightened.changes) {
      print_result(fmt::format("{}: {}\n", accepted.shown, describe(change)));
    }
    for (const auto& finding : tightened.kept) {
      print_result(fmt::format("{}: {}: kept, a suppression of the manifest covers it\n", accepted.shown, describe(finding)));
    }
    if (tightened.changes.empty()) {
      print_result(fmt::format("{}: nothing to prune\n", accepted.shown));
    }
    return {};
  }

  // What is not this job variant's baseline is somebody's file, and stays.
  Status remove(const OrphanedBaseline& orphan) {
    ++looked_at_;
    STAGEGATE_TRY_ASSIGN(text, read_file(orphan.path, ErrorKind::usage));
    if (const auto baseline = read_baseline(text, clean_text(orphan.shown), orphan.job, orphan.variant); !baseline) {
      return fail(ErrorKind::usage, "not removed: " + clean_text(baseline.error().message));
    }
    STAGEGATE_TRY(remove_one(orphan.path));
    print_result(fmt::format("{}: removed, no job variant of the manifest has it\n", clean_text(orphan.shown)));
    // A folder that still holds something stays.
    static_cast<void>(remove_one(orphan.path.substr(0, orphan.path.find_last_of('/'))));
    return {};
  }

  static Status name(const OrphanedBaseline& orphan) {
    print_message(fmt::format("{}: no job variant of the manifest has this baseline; 'stagegate baseline prune --orphans' removes it",
                              clean_text(orphan.shown)));
    return {};
  }

  const Project& project_;
  ExitCode code_ = ExitCode::passed;
  std::size_t looked_at_ = 0;
};

}  // namespace

int baseline_prune_command(const BaselinePruneOptions& options) {
  const auto project = load_project_with_baselines(options.common, "prune");
  if (!project) {
    return report_error(project.error());
  }
  if (is_ci()) {
    return report_error({ErrorKind::usage,
                         "in CI no baseline is written; take the report folder from the job's artifacts and run 'stagegate baseline prune' "
                         "on a machine of yours"});
  }
  const auto selection = select_baselines(*project, options);
  return selection ? Prune(*project).run(*selection, options.orphans) : report_error(selection.error());
}

}  // namespace stagegate
