// Where a run left its event log.
#pragma once

#include <chrono>
#include <functional>

#include "base/result.h"
#include "model/application.h"
#include "model/job_variant.h"
#include "run/run_jobs.h"

namespace stagegate {

// By which the clocks of this machine and of one that runs a driver, or holds a shared folder, may differ.
inline constexpr std::chrono::milliseconds kClockDifference = std::chrono::minutes(10);

// Reads the one application of RUN_DIR/eventlog; where PLACE says that logs go to a folder that many share, the one there that carries the
// marker of the run, waiting for it as long as PLACE allows. (Of a history server app/ reads it.)
//
// Errors (ErrorKind::evidence) that each say what to do: no event log (switched off in the job's own code? no SparkContext at all?),
// several applications (named), a log of another run (the marker differs), no event in it.
Result<Application> read_evidence(const JobRun& run, const EvidencePlace& place);

// What LOOK finds; while that is nothing, or an application that has not ended, it looks again, until PATIENCE is over or stagegate is
// interrupted: a driver on another machine may end later than what started it.
Result<Application> wait_for_evidence(std::chrono::milliseconds patience, const std::function<Result<Application>()>& look);

}  // namespace stagegate
