// Events in the order of the log, in; an Application, out. It knows nothing of lines and files.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ingest/attempt_builder.h"
#include "ingest/core_count.h"
#include "ingest/events.h"
#include "ingest/execution_builder.h"
#include "ingest/id_set.h"
#include "model/application.h"

namespace stagegate {

// Events that must have been there, because others refer to them.
struct LostEvents {
  std::int64_t application_starts = 0;
  std::int64_t stage_submissions = 0;
  std::int64_t job_starts = 0;
  std::int64_t job_ends = 0;  // of an application that has ended

  bool any() const { return application_starts + stage_submissions + job_starts + job_ends > 0; }
};

// Events that are not where Spark writes them: files of a log were copied twice, named wrongly, or put together from two applications.
struct MisplacedEvents {
  std::int64_t repeated = 0;  // there before, and of a kind of which there is only one
  std::int64_t early = 0;     // in front of what they follow from
};

struct BuiltApplication {
  Application application;  // its evidence is empty
  LostEvents lost;
  MisplacedEvents misplaced;
};

class ApplicationBuilder {
 public:
  explicit ApplicationBuilder(TaskDepth depth = TaskDepth::judged) : depth_(depth) {}

  // Leaves EVENT moved from.
  void add(Event& event);

  // The same comes out for every number of threads.
  BuiltApplication finish(int threads = 1) &&;

 private:
  struct Attempt {
    StageAttempt stage;
    std::unique_ptr<AttemptBuilder> tasks;  // of one that has had any
    Labels labels;
    bool submitted = false;
    bool completed = false;
  };
  struct JobEntry {
    Job job;
    std::set<std::int64_t> stages;
    bool started = false;
  };

  void on(LogStart& start);
  void on(ApplicationStart& start);
  void on(const ApplicationEnd& end);
  void on(EnvironmentUpdate& environment);
  void on(ResourceProfileAdded& added);
  void on(ExecutorAdded& added);
  void on(ExecutorRemoved& removed);
  void on(JobStart& start);
  void on(JobEnd& end);
  void on(StageSubmitted& submitted);
  void on(StageCompleted& completed);
  void on(const TaskEnd& task);
  void on(SqlExecutionStart& start) { executions_.add(std::move(start)); }
  void on(SqlAdaptiveUpdate& update) { executions_.add(std::move(update)); }
  void on(SqlAdaptiveMetrics& metrics) { executions_.add(std::move(metrics)); }
  void on(const DriverAccumulatorUpdates& updates);
  void on(SqlExecutionEnd& end) { executions_.add(std::move(end)); }
  void on(const UnpersistRdd& unpersisted);

  Attempt& attempt(std::int32_t stage, std::int32_t attempt);
  StageStatus status_of(const Attempt& attempt) const;
  void finish_attempt(Attempt& attempt);
  void finish_tasks(int threads);
  std::size_t place_of(const TaskEnd& task);
  LostEvents lost_events() const;

  TaskDepth depth_;
  Application application_;
  std::map<std::string, std::size_t, std::less<>> place_of_executor_;
  std::map<std::pair<std::int32_t, std::int32_t>, Attempt> attempts_;
  Attempt* last_attempt_ = nullptr;  // of a task end: the next one is likely to be of the same
  std::map<std::int64_t, JobEntry> jobs_;
  std::map<std::int64_t, std::set<std::int64_t>> jobs_of_stage_;
  ExecutionBuilder executions_;
  CoreCount cores_;
  MisplacedEvents misplaced_;
  IdSet ended_tasks_;
  bool started_ = false;
  bool ended_ = false;
};

}  // namespace stagegate
