// run.json: what was started and how it ended, for people who look into a run's folder, and for machines.
#pragma once

#include <string>

#include "run/command_line.h"
#include "run/run_jobs.h"
#include "run/spark_installation.h"

namespace stagegate {

// One object, one key a line: schema "stagegate.run/1", job, variant, command, working_dir, environment (what was set on top of the
// inherited one), conf, spark, marker, end ("exited", "signalled", "timed_out", "interrupted", "not_started"), exit_status, signal,
// problem, started, started_ms, duration_ms. What is secret by its name, as Spark's spark.redaction.regex has it, is replaced wherever it
// stands.
std::string run_record(const JobVariant& job_variant, const PlannedProcess& process, const SparkInstallation& spark, const JobRun& run);

}  // namespace stagegate
