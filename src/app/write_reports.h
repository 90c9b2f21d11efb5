// The files of the report folder.
#pragma once

#include <string>

#include "model/verdict.h"

namespace stagegate {

// Removes what an earlier run left, so that a run that dies leaves no report that is not its own, and makes the folder. Kind: output.
Status prepare_report_dir(const std::string& report_dir);

// Writes junit.xml and verdict.json. What cannot be written is said on stderr and noted in RESULT.output_failed.
void write_reports(const std::string& report_dir, RunResult& result);

// The exit code of a run that ended before it began. Reports that say why are written to REPORT_DIR, unless it is "".
int end_with_error(const Error& error, const std::string& report_dir);

}  // namespace stagegate
