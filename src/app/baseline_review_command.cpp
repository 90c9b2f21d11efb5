#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/apply_review.h"
#include "app/baseline_files.h"
#include "app/commands.h"
#include "app/console.h"
#include "app/review_interview.h"
#include "app/review_plan.h"
#include "app/review_words.h"
#include "base/text.h"
#include "baseline/judge.h"
#include "identity/link_stages.h"
#include "model/verdict.h"
#include "rules/evaluate.h"
#include "sys/file.h"
#include "sys/interrupt.h"
#include "sys/keyboard.h"
#include "sys/machine.h"

namespace stagegate {
namespace {

std::map<std::string, Level> levels_of(const Project& project, const JobVariant& job_variant) {
  std::map<std::string, Level> levels;
  for (const auto& configured : configure(project.rules, project.manifest.rules, job_variant.job, job_variant.variant)) {
    levels.emplace(configured.rule->id, configured.level);
  }
  return levels;
}

ReviewedVariant reviewed_variant(const Project& project, const JobVariant& job_variant, BaselineFile pending) {
  ReviewedVariant reviewed{.job = job_variant.job,
                           .variant = job_variant.variant,
                           .path = baseline_path(project.manifest, job_variant.job, job_variant.variant),
                           .shown = {},
                           .old_text = {},
                           .accepted = {},
                           .differences = {},
                           .pending = std::move(pending.baseline),
                           .pending_text = std::move(pending.text),
                           .levels = levels_of(project, job_variant)};
  reviewed.shown = display_path(reviewed.path, current_folder());
  const auto accepted = read_accepted(project, job_variant);
  if (!accepted) {
    reviewed.differences = split(accepted.error().message, '\n');
    if (auto text = read_file(reviewed.path, ErrorKind::usage)) {
      reviewed.old_text = std::move(*text);
    }
  } else if (*accepted) {
    reviewed.old_text = (*accepted)->text;
    reviewed.differences =
        differing_conditions((*accepted)->baseline, reviewed.pending, link_stages((*accepted)->baseline, reviewed.pending));
    if (reviewed.differences.empty()) {
      reviewed.accepted = (*accepted)->baseline;
    }
  }
  return reviewed;
}

// Those that a run has left a result of; the names of the others go to WITHOUT.
Result<std::vector<ReviewedVariant>> reviewed_variants(const Project& project, const std::vector<JobVariant>& job_variants,
                                                       std::vector<std::string>& without) {
  std::vector<ReviewedVariant> variants;
  for (const auto& job_variant : job_variants) {
    STAGEGATE_TRY_ASSIGN(pending, read_pending(project, job_variant));
    if (pending) {
      variants.push_back(reviewed_variant(project, job_variant, std::move(*pending)));
    } else {
      without.push_back(name_of(job_variant));
    }
  }
  return variants;
}

int end_of(ReviewEnd end, const Project& project, const ReviewPlan& plan, const std::vector<ReviewAnswer>& answers) {
  switch (end) {
    case ReviewEnd::apply:
      break;
    case ReviewEnd::drop:
      print_result(fmt::format("Nothing was written; the answers are dropped: {}.\n", count_answers(plan, answers)));
      return static_cast<int>(ExitCode::passed);
    case ReviewEnd::end_of_input:
      print_message(fmt::format("\nThe input ended: nothing was written, and the answers are lost: {}.", count_answers(plan, answers)));
      return static_cast<int>(ExitCode::interrupted);
    case ReviewEnd::interrupted: {
      print_message(fmt::format("\nInterrupted: nothing was written, and the answers are lost: {}.", count_answers(plan, answers)));
      RunResult interrupted;
      interrupted.interrupt_signal = interrupt_signal();
      return static_cast<int>(exit_code_of(interrupted));
    }
  }
  return apply_review(project, plan, answers);
}

int review(const Project& project, const ReviewPlan& plan, ColorChoice color) {
  watch_interrupts();
  const auto [end, answers] = interview(project, plan, color);
  return end_of(end, project, plan, answers);
}

Status check_place() {
  if (is_ci()) {
    return fail(ErrorKind::usage,
                "in CI nobody can be asked, and no baseline is written; take the report folder from the job's artifacts and review it on a "
                "machine of yours, or take all of it with 'stagegate baseline accept' there");
  }
  if (!Keyboard::is_there() || !is_terminal(Stream::out)) {
    return fail(ErrorKind::usage,
                "a review asks and shows, for which standard input and output must be a terminal; without one take the results with "
                "'stagegate baseline accept', some of them with its --rule and --stage");
  }
  return {};
}

int review_selected(const Project& project, const BaselineReviewOptions& options) {
  const auto job_variants = resolve(project.manifest, {.jobs = options.jobs, .variants = options.variants, .conf = {}});
  if (!job_variants) {
    return report_error(job_variants.error());
  }
  std::vector<std::string> without;
  auto variants = reviewed_variants(project, *job_variants, without);
  if (!variants) {
    return report_error(variants.error());
  }
  if (variants->empty()) {
    return report_error({ErrorKind::nothing, "nothing to review: no run has left a result; start one with 'stagegate run'"});
  }
  const auto plan = plan_review(std::move(*variants), project.rules, project.manifest.suppressions, today_utc());
  if (plan.items.empty()) {
    return report_error({ErrorKind::nothing, "nothing to review: the baselines have all that the last run found"});
  }
  const int code = review(project, plan, options.common.color);
  if (!without.empty()) {
    print_message(fmt::format("no result to review of {}: not run, or not to be judged", join(without, ", ")));
  }
  return code;
}

}  // namespace

int baseline_review_command(const BaselineReviewOptions& options) {
  const auto project = load_project_with_baselines(options.common, "review");
  if (!project) {
    return report_error(project.error());
  }
  const auto place = check_place();
  return place ? review_selected(*project, options) : report_error(place.error());
}

}  // namespace stagegate
