// The tasks of one stage attempt, out of the pages of its task list.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ingest/events.h"
#include "ingest/id_set.h"
#include "ingest/packed_tasks.h"
#include "ingest/rest/rest_client.h"
#include "ingest/rest/rest_values.h"
#include "ingest/spark_release.h"

namespace stagegate {

// When executors went, by id.
using RemovedExecutors = std::map<std::string, std::int64_t, std::less<>>;

// Keeps the ends of tasks, small, until all are there, and gives them out as a log does: in the order of their time.
class StageTasks {
 public:
  explicit StageTasks(const RestStage& stage)
      : stage_(stage.info.id), attempt_(stage.info.attempt), completed_ms_(stage.info.completed_ms) {}

  // False: a task of that id was there before, and this one is not taken.
  bool add(RestTask& task);

  std::int64_t succeeded() const { return succeeded_; }
  std::int64_t failed() const { return failed_; }
  std::int64_t killed() const { return killed_; }

  // COUNT tasks succeeded, and their output was lost with an executor. Spark counts each as failed, and logs an end `Resubmitted` of it; in
  // the task list it stays a success, so that one has to find out which they are: those that ended on an executor that went before the
  // stage was complete, or those that another success of their partition replaced, if either are just as many. False: there are not as
  // many of either.
  bool resubmit(std::int64_t count, const RemovedExecutors& removed);

  // Calls ON_EVENT(Event&) for each end. The texts are valid during the call.
  template <typename OnEvent>
  void replay(OnEvent&& on_event) {
    sort();
    for (const auto& row : rows_) {
      Event event;
      auto& end = event.emplace<TaskEnd>();
      tasks_.unpack(row.position, end);
      if (row.end == End::resubmitted) {
        make_resubmitted(end);
      }
      on_event(event);
    }
  }

 private:
  enum class End : std::uint8_t { own, resubmitted };
  // In their order.
  struct Row {
    std::int64_t time_ms = 0;
    End end = End::own;
    std::int64_t task_id = 0;
    std::size_t position = 0;
  };
  using Rows = std::vector<Row>;

  void sort();
  TaskEnd task_of(const Row& row) const;
  Rows lost_with_executors(const RemovedExecutors& removed) const;
  Rows replaced() const;
  static void make_resubmitted(TaskEnd& end);

  std::int32_t stage_;
  std::int32_t attempt_;
  std::optional<std::int64_t> completed_ms_;
  PackedTasks tasks_;
  Rows rows_;
  IdSet seen_;
  std::int64_t succeeded_ = 0;
  std::int64_t failed_ = 0;
  std::int64_t killed_ = 0;
};

struct TaskListOptions {
  TaskDepth depth = TaskDepth::judged;
  int page_size = 1000;
  SparkRelease release = {};  // of the application
};

// The tasks of STAGE below BASE ("/api/v1/applications/app-1"). Null where the server does not know the stage any more. An error too where
// it gives pages without end.
Result<std::unique_ptr<StageTasks>> read_stage_tasks(RestClient& client, const std::string& base, const RestStage& stage,
                                                     const TaskListOptions& options);

}  // namespace stagegate
