// Where a run left its event log.
#pragma once

#include "base/result.h"
#include "model/application.h"
#include "run/run_jobs.h"

namespace stagegate {

// Reads the one application of RUN_DIR/eventlog. Errors (ErrorKind::evidence) that each say what to do: no event log (switched off in the
// job's own code? no SparkContext at all?), several applications (named), a log of another run (the marker differs), no event in it.
Result<Application> read_evidence(const JobRun& run);

}  // namespace stagegate
