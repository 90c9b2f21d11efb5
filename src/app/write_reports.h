// The files of the report folder.
#pragma once

#include <span>
#include <string>

#include "app/project.h"
#include "model/job_variant.h"
#include "model/verdict.h"
#include "sys/folder_lock.h"

namespace stagegate {

// Makes the report folder, holds it against other stagegates, and removes what an earlier one left: its reports, so that one that dies
// leaves none that is not its own, and what it would have had accepted of JOB_VARIANTS. Kind: output.
Result<FolderLock> take_report_dir(const Project& project, std::span<const JobVariant> job_variants);

// Writes junit.xml and verdict.json. What cannot be written is said on stderr and noted in RESULT.output_failed.
void write_reports(const std::string& report_dir, RunResult& result);

// The exit code of a run that ended before it began. Reports that say why are written to REPORT_DIR, unless it is "" or another stagegate
// is at work in it.
int end_with_error(const Error& error, const std::string& report_dir);

}  // namespace stagegate
