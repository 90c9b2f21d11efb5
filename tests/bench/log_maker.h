// Writes the log: rounds of the application, each with its own ids, numbers and tasks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/application_template.h"
#include "bench/log_writer.h"
#include "bench/random.h"
#include "bench/truth.h"

namespace stagegate::bench {

struct Amount {
  std::int64_t bytes = 0;  // of the uncompressed log, about; 0: TASKS decides
  std::int64_t tasks = 0;
  std::int64_t stages = 0;  // rounded up to whole rounds; 0: so many that a stage has about a thousand tasks
};

class LogMaker {
 public:
  LogMaker(const ApplicationTemplate& application, const Amount& amount, std::uint64_t seed, LogWriter& writer);

  Truth make();

 private:
  struct RunningStage {
    std::int64_t submitted_ms = 0;
    std::vector<std::int64_t> totals;
    StageTruth truth;
  };
  struct RunningTask {
    std::int64_t id = 0;
    std::int64_t index = 0;
    std::int64_t launch_ms = 0;
    int executor = 0;
  };

  std::int64_t rounds() const;
  std::int64_t tasks_of_round();
  void start_round();
  void write_head();
  void write_round();
  void write_tasks(const StageTemplate& stage, RunningStage& running);
  RunningTask write_task_start(const StageTemplate& stage, std::int64_t index, std::size_t slot);
  void write_task_end(const StageTemplate& stage, RunningStage& running, const RunningTask& task);
  void write(const EventTemplate& event, Flush flush);
  void fill_in(const Hole& hole);
  std::int64_t tasks_of(const Hole& hole) const;
  // Half to one and a half of an even share.
  std::int64_t share(std::int64_t all, std::int64_t parts);

  const ApplicationTemplate& application_;
  Amount amount_;
  Random random_;
  LogWriter& writer_;
  Truth truth_;

  std::int64_t rounds_ = 1;
  std::int64_t fixed_bytes_left_ = 0;
  std::uint64_t task_bytes_ = 0;

  // What the holes are filled from.
  std::int64_t round_ = 0;
  std::int64_t now_ = 0;
  std::map<std::int64_t, RunningStage> stages_;  // by the real id
  RunningTask task_;
  std::vector<std::int64_t> quantities_;  // of a task that ends
  std::string line_;
};

}  // namespace stagegate::bench
