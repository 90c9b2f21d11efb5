// The evidence of a run whose log only a history server can read: the driver ran on another machine.
#pragma once

#include "base/result.h"
#include "model/application.h"
#include "model/job_variant.h"
#include "run/run_jobs.h"

namespace stagegate {

// Looks for the application that carries the marker of RUN, as long as PLACE allows. Errors as those of read_evidence().
Result<Application> read_served_evidence(const JobRun& run, const EvidencePlace& place);

}  // namespace stagegate
