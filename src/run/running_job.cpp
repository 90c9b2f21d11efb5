#include "run/running_job.h"

#include <csignal>
#include <utility>

#include "sys/machine.h"

namespace stagegate {
namespace {

using std::chrono::milliseconds;

// A process that is still there so long after KILL is held by the kernel.
constexpr milliseconds kPatienceAfterKill{2000};

}  // namespace

RunningJob::RunningJob(Process process, JobRun run, milliseconds timeout, milliseconds grace)
    : process_(std::move(process)), run_(std::move(run)), log_(run_.run_dir + "/eventlog"), timeout_(timeout), grace_(grace) {
  run_.started_ms = now_epoch_ms();
}

RunningJob::State RunningJob::check() {
  if (state_ == State::runs) {
    if (const auto exit = process_.try_wait()) {
      note_end(*exit);
    } else if (timeout_.count() > 0 && Clock::now() - started_ >= timeout_) {
      stop(RunEnd::timed_out, grace_);
    }
  }
  if (state_ == State::lingers && !process_.group_is_alive()) {
    state_ = State::ended;
  }
  if (state_ != State::ended) {
    escalate();
  }
  return state_;
}

void RunningJob::stop(RunEnd why, milliseconds grace) {
  if (kill_at_) {
    return;
  }
  if (state_ == State::runs) {
    stopped_ = why;
  }
  process_.signal_group(SIGTERM);
  kill_at_ = Clock::now() + grace;
}

void RunningJob::note_end(const ExitState& exit) {
  run_.duration_ms = std::chrono::duration_cast<milliseconds>(Clock::now() - started_).count();
  run_.end = stopped_.value_or(exit.signal != 0 ? RunEnd::signalled : RunEnd::exited);
  run_.exit_status = exit.exit_status;
  run_.signal = exit.signal;
  state_ = State::lingers;
  if (process_.group_is_alive()) {
    stop(run_.end, grace_);
  }
}

void RunningJob::escalate() {
  const auto now = Clock::now();
  if (kill_at_ && !give_up_ && now >= *kill_at_) {
    process_.signal_group(SIGKILL);
    give_up_ = now + kPatienceAfterKill;
  } else if (give_up_ && now >= *give_up_ && state_ == State::lingers) {
    state_ = State::ended;
  }
}

JobProgress RunningJob::progress() {
  log_.read_more();
  return {std::chrono::duration_cast<milliseconds>(Clock::now() - started_), log_.counter().stages_completed(),
          log_.counter().tasks_ended()};
}

}  // namespace stagegate
