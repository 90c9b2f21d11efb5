#include <string>

#include <fmt/format.h>

#include "app/baseline_files.h"
#include "app/commands.h"
#include "app/console.h"
#include "base/text.h"
#include "baseline/describe_change.h"
#include "model/verdict.h"

namespace stagegate {
namespace {

struct BaselineState {
  std::string words;
  ExitCode code = ExitCode::passed;
};

// An error's first line is all that a line has room for; the others say the same of other places.
BaselineState broken(std::string_view what, const Error& error) {
  return {.words = fmt::format("{} cannot be read: {}", what, split(error.message, '\n').front()), .code = ExitCode::usage};
}

BaselineState state_of(const Project& project, const JobVariant& job_variant) {
  const auto accepted = read_accepted(project, job_variant);
  if (!accepted) {
    return broken("baseline", accepted.error());
  }
  const auto pending = read_pending(project, job_variant);
  if (!pending) {
    return broken("result of the last run", pending.error());
  }
  if (!*accepted) {
    return {.words = *pending ? "no baseline; the last run left a result to accept" : "no baseline, and no result of a run",
            .code = ExitCode::baseline_trouble};
  }
  if (!*pending) {
    return {.words = "no result of a run"};
  }
  if ((*accepted)->text == (*pending)->text) {
    return {.words = "up to date"};
  }
  const auto change = describe_change((*accepted)->baseline, (*pending)->baseline);
  return {.words = fmt::format("would change: {}", change.empty() ? "the same in another layout" : change),
          .code = ExitCode::baseline_trouble};
}

int show_states(const Project& project, const BaselineSelection& selection) {
  auto code = ExitCode::passed;
  const auto show = [&](const std::string& name, const BaselineState& state) {
    print_result(fmt::format("{}: {}\n", name, state.words));
    code = code == ExitCode::usage || state.code == ExitCode::passed ? code : state.code;
  };
  for (const auto& job_variant : selection.job_variants) {
    show(name_of(job_variant), state_of(project, job_variant));
  }
  for (const auto& orphan : selection.orphans) {
    show(clean_text(fmt::format("{}/{}", orphan.job, orphan.variant)),
         {.words = fmt::format("orphaned: no job variant of the manifest has {}", clean_text(orphan.shown)),
          .code = ExitCode::baseline_trouble});
  }
  return static_cast<int>(code);
}

}  // namespace

int baseline_status_command(const BaselineStatusOptions& options) {
  const auto project = load_project_with_baselines(options.common, "compare with");
  if (!project) {
    return report_error(project.error());
  }
  const auto selection = select_baselines(*project, options);
  return selection ? show_states(*project, *selection) : report_error(selection.error());
}

}  // namespace stagegate
