// The commands, one file each: options in, output and exit code out.
#pragma once

#include "app/options.h"

namespace stagegate {

int run_command(const RunOptions& options);
int check_command(const CheckOptions& options);
int compare_command(const CompareOptions& options);
int report_command(const ReportOptions& options);
int validate_command(const ValidateOptions& options);
int list_command(const ListOptions& options);
int explain_command(const ExplainOptions& options);
int baseline_accept_command(const BaselineAcceptOptions& options);
int baseline_status_command(const BaselineStatusOptions& options);
int baseline_prune_command(const BaselinePruneOptions& options);
int baseline_reject_command(const BaselineRejectOptions& options);
int baseline_review_command(const BaselineReviewOptions& options);

// Runs what the command line chose.
int execute(const Command& command);

}  // namespace stagegate
