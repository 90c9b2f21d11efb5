// One job that has been started: what it has done so far, and the way from its first process to a group that has gone.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "run/log_progress.h"
#include "run/run_jobs.h"
#include "sys/process.h"

namespace stagegate {

class RunningJob {
 public:
  using Clock = std::chrono::steady_clock;

  enum class State : std::uint8_t {
    runs,
    lingers,  // the process has ended, others of its group have not
    ended,
  };

  // RUN is what is known of it before the start: folder and marker. A TIMEOUT of 0 is none.
  RunningJob(Process process, JobRun run, std::chrono::milliseconds timeout, std::chrono::milliseconds grace);

  // Looks what has happened, and sends the signals whose time has come.
  State check();
  // TERM to the group, KILL after the grace. WHY is how the run will be said to have ended; it does not change the end of one that has.
  void stop(RunEnd why, std::chrono::milliseconds grace);

  JobProgress progress();
  const JobRun& run() const { return run_; }
  // Readable when the process has ended.
  int descriptor() const { return process_.descriptor(); }
  State state() const { return state_; }

 private:
  void note_end(const ExitState& exit);
  void escalate();

  Process process_;
  JobRun run_;
  LogProgress log_;
  std::chrono::milliseconds timeout_;
  std::chrono::milliseconds grace_;
  Clock::time_point started_ = Clock::now();
  State state_ = State::runs;
  std::optional<RunEnd> stopped_;             // why we ended it
  std::optional<Clock::time_point> kill_at_;  // TERM has been sent
  std::optional<Clock::time_point> give_up_;  // KILL has been sent
};

}  // namespace stagegate
