#include <variant>

#include "app/commands.h"
#include "app/console.h"
#include "model/verdict.h"

namespace stagegate {
namespace {

struct Dispatch {
  int operator()(const Finished& finished) const { return finished.exit_code; }
  int operator()(const RunOptions& options) const { return run_command(options); }
  int operator()(const CheckOptions& options) const { return check_command(options); }
  int operator()(const ReportOptions& options) const { return report_command(options); }
  int operator()(const CompareOptions& options) const { return compare_command(options); }
  int operator()(const ValidateOptions& options) const { return validate_command(options); }
  int operator()(const ListOptions& options) const { return list_command(options); }
  int operator()(const ExplainOptions& options) const { return explain_command(options); }
  int operator()(const BaselineAcceptOptions& options) const { return baseline_accept_command(options); }
  int operator()(const BaselineStatusOptions& options) const { return baseline_status_command(options); }
  int operator()(const BaselinePruneOptions& options) const { return baseline_prune_command(options); }
  int operator()(const BaselineRejectOptions& options) const { return baseline_reject_command(options); }
  int operator()(const BaselineReviewOptions& options) const { return baseline_review_command(options); }
};

}  // namespace

int execute(const Command& command) {
  const int code = std::visit(Dispatch{}, command);
  if (!flush_results() && code == 0) {
    print_message("stagegate: standard output could not be written");
    return static_cast<int>(ExitCode::output_failed);
  }
  return code;
}

}  // namespace stagegate
