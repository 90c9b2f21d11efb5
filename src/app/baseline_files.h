// What the `baseline` commands work on: accepted files, what the last run would have accepted, and files that belong to nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/options.h"
#include "app/project.h"
#include "base/result.h"
#include "model/baseline.h"
#include "model/job_variant.h"

namespace stagegate {

// A project that keeps baselines; where it does not, an error that says that there is nothing to VERB. Kind: usage.
Result<Project> load_project_with_baselines(const CommonOptions& options, std::string_view verb);

struct BaselineFile {
  std::string path;   // absolute
  std::string shown;  // as it is shown
  std::string text;   // its bytes
  Baseline baseline;
};

// The accepted baseline. Absent where there is none; an error where it cannot be read. Kind: usage.
Result<std::optional<BaselineFile>> read_accepted(const Project& project, const JobVariant& job_variant);
// What the last run left to be accepted. Absent where there was none, it did not do, or it was rejected.
Result<std::optional<BaselineFile>> read_pending(const Project& project, const JobVariant& job_variant);

// A baseline file below the baseline folder that belongs to no job variant of the manifest.
struct OrphanedBaseline {
  std::string job;
  std::string variant;
  std::string path;   // absolute
  std::string shown;  // as it is shown
};
std::vector<OrphanedBaseline> orphaned_baselines(const Project& project);

struct BaselineSelection {
  std::vector<JobVariant> job_variants;
  std::vector<OrphanedBaseline> orphans;
};

// Of the manifest and of the orphans what fits the patterns of OPTIONS. An error where neither has anything, as resolve() says it.
Result<BaselineSelection> select_baselines(const Project& project, const BaselineOptions& options);

// "revenue/adaptive"
std::string name_of(const JobVariant& job_variant);

}  // namespace stagegate
