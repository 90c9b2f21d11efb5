// Starts job variants, side by side where asked, waits for them, and says how each ended and what it left.
//
// A variant that is to run several times does so in fresh processes. Each run has a folder of its own: eventlog/, stdout.txt, stderr.txt,
// run.json. All of them are emptied before the first run starts, so that nothing of an earlier stagegate is taken for a result of this one.
// The status of the process decides whether a job failed, never the log: a failed Python driver and one ended by SIGTERM both leave a log
// that looks finished.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/job_variant.h"
#include "run/spark_installation.h"

namespace stagegate {

enum class RunEnd : std::uint8_t {
  exited,       // by itself; see exit_status
  signalled,    // by a signal that was not ours
  timed_out,    // TERM, then KILL after a grace period, by us
  interrupted,  // because stagegate was asked to stop
  not_started,  // could not be: `problem` says why; or its turn never came (--fail-fast, an interrupt,
                // a failed run of the same variant), and `problem` is empty
};

struct JobRun {
  RunEnd end = RunEnd::not_started;
  int exit_status = 0;  // of exited
  int signal = 0;       // of signalled
  std::string problem;  // one line, of not_started: why; of others: what of its record could not be written
  std::string run_dir;  // absolute
  std::string marker;
  std::optional<std::int64_t> started_ms;
  std::optional<std::int64_t> duration_ms;
};

// A run that is to be: of which of the job variants, and its number among the variant's own, from 1.
struct RunPlace {
  std::size_t variant = 0;
  int number = 1;
};

// The runs of all variants, in the order in which they start.
std::vector<RunPlace> runs_of(const std::vector<JobVariant>& job_variants);

// What a running job has done so far, from its growing event log.
struct JobProgress {
  std::chrono::milliseconds elapsed{0};
  std::int64_t stages_completed = 0;
  std::int64_t tasks_ended = 0;
};

enum class OnFailure : std::uint8_t { keep_going, fail_fast };

struct RunJobsOptions {
  std::string report_dir;  // absolute; runs go to <report_dir>/runs/<job>/<variant>/1, .../2
  int parallel = 1;
  OnFailure on_failure = OnFailure::keep_going;
  std::chrono::milliseconds grace{10'000};  // between TERM and KILL
  SparkSearch search;
};

// Called from one thread, in the order in which things happen. INDEX is into runs_of() the job variants.
struct RunObserver {
  std::function<void(std::size_t index)> on_start;
  std::function<void(std::size_t index, const JobProgress&)> on_progress;  // a few times a second
  // The run is over and its folder complete; returns whether it counts as a failure: then its variant starts no more runs, and with
  // --fail-fast nothing does.
  std::function<bool(std::size_t index, const JobRun&)> on_end;
};

// Runs all; returns when every child has ended: when the process itself has, what is left of its group gets TERM, then KILL. An interrupt
// (sys/interrupt.h) ends the children's process groups, lets those that have not started be, and calls on_end for each all the same.
// The result is in the order of runs_of().
std::vector<JobRun> run_jobs(const std::vector<JobVariant>& job_variants, const RunJobsOptions& options, const RunObserver& observer);

// "exited with status 3 after 32 s", "was killed by signal 9 (SIGKILL) after 4 s", "did not end within 15 min and was stopped"
std::string describe_end(const JobRun& run, std::chrono::milliseconds timeout);

// What of the job's output says why it failed, from files of any size: the last Python traceback, else the last lines of stderr that are no
// log lines of Spark's, else those of stdout, else the last log lines; at most MAX_LINES lines, cleaned for terminals and XML.
std::string describe_output(const JobRun& run, std::size_t max_lines);

}  // namespace stagegate
