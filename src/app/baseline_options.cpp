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

}  // namespace

void add_baseline(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand("baseline", "Work on the baselines that are kept in git");
  add_one(command, chosen, "accept", "Take the results of the last run as what is expected from now on",
          std::make_shared<BaselineAcceptOptions>());
  add_one(command, chosen, "status", "Show where the last run's results differ from the baselines, a line a job and variant",
          std::make_shared<BaselineStatusOptions>())
      ->footer("Exit codes: 0 nothing to do, 2 a file cannot be read, 5 a baseline is missing, would change, or belongs to nothing.");
  command->require_subcommand(1);
}

}  // namespace stagegate
