// `run --dry-run`: what would be started, without starting it.
#pragma once

#include <vector>

#include "app/project.h"
#include "model/job_variant.h"

namespace stagegate {

// Prints the command line, environment and configuration of each; returns the exit code: 3 where a Spark cannot be found.
int show_plans(const Project& project, const std::vector<JobVariant>& job_variants);

}  // namespace stagegate
