#include "run/run_jobs.h"

#include <poll.h>

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "run/command_line.h"
#include "run/run_folder.h"
#include "run/run_record.h"
#include "run/running_job.h"
#include "run/spark_finder.h"
#include "sys/file.h"
#include "sys/interrupt.h"
#include "sys/machine.h"
#include "sys/process.h"
#include "sys/write_file.h"

namespace stagegate {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTick{200};
// What lingers has no descriptor to be waited for.
constexpr milliseconds kLingerTick{20};
// CI runners that cancel a job kill it themselves a few seconds later (GitHub: SIGTERM after 7.5 s, then SIGKILL); the report must be
// written by then.
constexpr milliseconds kInterruptGrace{5000};

// What is known of a run from its plan; kept for its record.
struct Planned {
  PlannedProcess process;
  SparkInstallation spark;
};

struct Active {
  std::size_t index;
  RunningJob job;
};

Status app_exists(const JobVariant& job_variant) {
  const bool is_elsewhere = !job_variant.app || job_variant.app->find("://") != std::string::npos;
  if (is_elsewhere || is_file(*job_variant.app)) {
    return {};
  }
  return fail(ErrorKind::job,
              fmt::format("{}: the app of job '{}' does not exist: {}", to_string(job_variant.job_at), job_variant.job, *job_variant.app));
}

class JobRunner {
 public:
  JobRunner(const std::vector<JobVariant>& job_variants, const RunJobsOptions& options, const RunObserver& observer)
      : job_variants_(job_variants),
        options_(options),
        observer_(observer),
        places_(runs_of(job_variants)),
        runs_(places_.size()),
        planned_(places_.size()),
        failed_(job_variants.size(), false) {}

  std::vector<JobRun> run_all() {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      prepare(i);
    }
    while (next_ < runs_.size() || !active_.empty()) {
      notice_interrupt();
      start_waiting();
      if (!active_.empty()) {
        wait();
        check_active();
      }
    }
    return std::move(runs_);
  }

 private:
  const JobVariant& job_variant_of(std::size_t index) const { return job_variants_[places_[index].variant]; }

  // A problem is kept until the run's turn, so that runs end in order.
  void prepare(std::size_t index) {
    auto& run = runs_[index];
    auto run_dir = make_folder(index);
    if (!run_dir) {
      run.problem = run_dir.error().message;
      return;
    }
    run.run_dir = *std::move(run_dir);
    run.marker = unique_name();
  }

  Result<std::string> make_folder(std::size_t index) const {
    const int number = places_[index].number;
    STAGEGATE_TRY_ASSIGN(run_dir, run_folder_path(options_.report_dir, job_variant_of(index), number));
    if (number == 1) {
      STAGEGATE_TRY(remove_run_folders(options_.report_dir, job_variant_of(index)));
    }
    STAGEGATE_TRY(make_run_folder(run_dir));
    return run_dir;
  }

  void notice_interrupt() {
    if (interrupted_ || !interrupt_signal()) {
      return;
    }
    interrupted_ = true;
    no_more_ = true;
    for (auto& active : active_) {
      active->job.stop(RunEnd::interrupted, std::min(options_.grace, kInterruptGrace));
    }
  }

  void start_waiting() {
    const auto places = static_cast<std::size_t>(std::max(options_.parallel, 1));
    while (next_ < runs_.size() && (is_left_out(next_) || active_.size() < places)) {
      notice_interrupt();
      start_next();
    }
  }

  bool is_left_out(std::size_t index) const { return no_more_ || failed_[places_[index].variant]; }

  void start_next() {
    const auto index = next_++;
    auto& run = runs_[index];
    if (run.problem.empty() && !is_left_out(index)) {
      const auto started = start(index);
      if (started) {
        return;
      }
      run.problem = started.error().message;
    }
    finish(index);
  }

  Status start(std::size_t index) {
    const auto& job_variant = job_variant_of(index);
    auto& run = runs_[index];
    STAGEGATE_TRY(app_exists(job_variant));
    const auto environment = environment_of_job(job_variant, run.run_dir, options_.search.environment);
    STAGEGATE_TRY_ASSIGN(spark, finder_.find(job_variant, environment));
    auto& planned = planned_[index];
    planned = {plan_process(job_variant, spark, run.run_dir, run.marker, options_.search.environment), spark};
    if (!job_variant.app) {
      STAGEGATE_TRY(make_conf_folder(run.run_dir, planned.process));
    }
    const auto& plan = planned.process;
    STAGEGATE_TRY_ASSIGN(
        process, Process::start({plan.argv, plan.environment, plan.working_dir, run.run_dir + "/stdout.txt", run.run_dir + "/stderr.txt"}));
    active_.push_back(std::make_unique<Active>(Active{index, RunningJob(std::move(process), run, job_variant.timeout, options_.grace)}));
    if (observer_.on_start) {
      observer_.on_start(index);
    }
    return {};
  }

  void wait() {
    auto tick = kTick;
    std::vector<pollfd> watched;
    if (!interrupted_) {
      watched.push_back({interrupt_descriptor(), POLLIN, 0});
    }
    for (const auto& active : active_) {
      if (active->job.state() == RunningJob::State::lingers) {
        tick = kLingerTick;
      } else {
        watched.push_back({active->job.descriptor(), POLLIN, 0});
      }
    }
    ::poll(watched.data(), watched.size(), static_cast<int>(tick.count()));
  }

  void check_active() {
    std::vector<std::size_t> ended;
    for (auto& active : active_) {
      if (active->job.check() == RunningJob::State::ended) {
        runs_[active->index] = active->job.run();
        ended.push_back(active->index);
      }
    }
    std::erase_if(active_, [](const auto& active) { return active->job.state() == RunningJob::State::ended; });
    for (const auto index : ended) {
      finish(index);
    }
    tell_progress();
  }

  void tell_progress() {
    const auto now = RunningJob::Clock::now();
    if (!observer_.on_progress || now < next_progress_) {
      return;
    }
    next_progress_ = now + kTick;
    for (auto& active : active_) {
      observer_.on_progress(active->index, active->job.progress());
    }
  }

  void finish(std::size_t index) {
    auto& run = runs_[index];
    if (!run.run_dir.empty()) {
      leave_record(index, run);
    }
    const bool failed = observer_.on_end && observer_.on_end(index, run);
    failed_[places_[index].variant] = failed_[places_[index].variant] || failed;
    no_more_ = no_more_ || (failed && options_.on_failure == OnFailure::fail_fast);
  }

  void leave_record(std::size_t index, JobRun& run) const {
    const auto& planned = planned_[index];
    const auto removed = remove_conf_folder(run.run_dir);
    const auto written = write_file(run.run_dir + "/run.json", run_record(job_variant_of(index), planned.process, planned.spark, run));
    for (const auto& status : {removed, written}) {
      if (!status && run.problem.empty()) {
        run.problem = status.error().message;
      }
    }
  }

  const std::vector<JobVariant>& job_variants_;
  const RunJobsOptions& options_;
  const RunObserver& observer_;
  std::vector<RunPlace> places_;
  std::vector<JobRun> runs_;
  std::vector<Planned> planned_;
  std::vector<bool> failed_;  // variants
  SparkFinder finder_;
  std::vector<std::unique_ptr<Active>> active_;
  std::size_t next_ = 0;
  bool no_more_ = false;  // after an interrupt, or a failure with --fail-fast
  bool interrupted_ = false;
  RunningJob::Clock::time_point next_progress_{};
};

}  // namespace

std::vector<RunPlace> runs_of(const std::vector<JobVariant>& job_variants) {
  std::vector<RunPlace> places;
  for (std::size_t variant = 0; variant < job_variants.size(); ++variant) {
    for (int number = 1; number <= job_variants[variant].runs; ++number) {
      places.push_back({variant, number});
    }
  }
  return places;
}

std::vector<JobRun> run_jobs(const std::vector<JobVariant>& job_variants, const RunJobsOptions& options, const RunObserver& observer) {
  return JobRunner(job_variants, options, observer).run_all();
}

}  // namespace stagegate
