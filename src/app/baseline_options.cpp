#include <memory>

#include <CLI/CLI.hpp>

#include "app/option_parts.h"

namespace stagegate {
namespace {

// A command below `baseline` with the options that all of them have; CHOSEN gets what it parsed.
template <typename Options>
CLI::App* add_one(CLI::App* baseline, Command& chosen, const std::string& name, const std::string& help,
                  const std::shared_ptr<Options>& options) {
  auto* command = baseline->add_subcommand(name, help);
  add_common(command, options->common);
  add_selection(command, options->jobs, options->variants);
  command->callback([&chosen, options] { chosen = *options; });
  return command;
}

void add_accept(CLI::App* baseline, Command& chosen) {
  const auto options = std::make_shared<BaselineAcceptOptions>();
  auto* accept = add_one(baseline, chosen, "accept", "Take the results of the last run as what is expected from now on", options);
  accept
      ->add_option("--rule", options->choice.rules,
                   "Only findings of rules that fit this pattern, and nothing else of the results; may be given several times")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  accept->add_option("--stage", options->choice.stages, "Only findings at stages whose label fits this pattern; may be given several times")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  accept->footer("Examples:\n  stagegate baseline accept\n  stagegate baseline accept --job revenue --rule skew --stage 'join orders*'");
}

void add_prune(CLI::App* baseline, Command& chosen) {
  const auto options = std::make_shared<BaselinePruneOptions>();
  auto* prune =
      add_one(baseline, chosen, "prune", "Take findings that are gone out of the baselines, and lower values that got better", options);
  prune->add_flag_callback(
      "--orphans", [options] { options->orphans = Orphans::remove; }, "Remove baselines that belong to no job variant of the manifest");
  prune->footer(
      "It only removes and lowers, by the results of the last run; what got worse, new findings and the stages' totals stay as they are.");
}

void add_review(CLI::App* baseline, Command& chosen) {
  auto* review =
      add_one(baseline, chosen, "review", "Go through what the last run found and the baselines do not have, one question a screen",
              std::make_shared<BaselineReviewOptions>());
  review->footer(
      "Keys: a accept, r reject, s suppress with a reason, k or n skip, b back, q quit, ? help. Files are written at the end, after a "
      "last\n"
      "question: accepted findings into the baselines, suppressions behind the manifest's last line. It wants a terminal, and does not run "
      "in\n"
      "CI.\n"
      "Exit codes: 0 gone through, 2 no terminal, or a file cannot be read, 4 nothing to review, 5 a baseline was changed meanwhile, 74 a "
      "file\n"
      "cannot be written, 130 interrupted: nothing was written.");
}

}  // namespace

void add_baseline(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand("baseline", "Work on the baselines that are kept in git");
  add_accept(command, chosen);
  add_review(command, chosen);
  add_one(command, chosen, "status", "Show where the last run's results differ from the baselines, a line a job and variant",
          std::make_shared<BaselineStatusOptions>())
      ->footer("Exit codes: 0 nothing to do, 2 a file cannot be read, 5 a baseline is missing, would change, or belongs to nothing.");
  add_prune(command, chosen);
  add_one(command, chosen, "reject", "Drop the results of the last run, so that a later accept does not take them",
          std::make_shared<BaselineRejectOptions>());
  command->require_subcommand(1);
}

}  // namespace stagegate
