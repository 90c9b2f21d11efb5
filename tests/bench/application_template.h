// A real log made ready to be repeated: what comes once, and the steps of a round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/event_template.h"
#include "bench/log_writer.h"
#include "bench/real_log.h"

namespace stagegate::bench {

struct TemplateOptions {
  std::size_t task_end_bytes = 0;       // on average; 0: as the real log has them
  std::int64_t plan_bytes = 1'000'000;  // of the largest event with a plan
};

// An event, or all tasks of a stage in the place of its first.
struct Step {
  std::vector<EventTemplate> sizes;  // the event; of one with a plan: for each size of plan; of tasks: none
  Flush flush = Flush::yes;
  std::int64_t stage = -1;  // of tasks

  const EventTemplate& event_of(std::int64_t round) const;
};

struct StageTemplate {
  std::vector<EventTemplate> starts;
  std::vector<TaskEndTemplate> ends;
  Totals totals;
};

// What ids go up by from round to round.
struct Strides {
  std::int64_t execution = 1;
  std::int64_t job = 1;
  std::int64_t stage = 1;
  std::int64_t rdd = 1;
  std::int64_t accumulator = 1;
};

struct ApplicationTemplate {
  std::string application;
  std::int64_t start_ms = 0;
  std::vector<EventTemplate> head;
  std::vector<EventTemplate> executor;  // what is said once for each executor
  std::vector<Step> round;
  std::vector<EventTemplate> tail;
  std::map<std::int64_t, StageTemplate> stages;  // those that ran, by the real id
  Strides strides;

  // Estimates: how long a number gets is not known before it is there.
  std::int64_t bytes_per_task() const;
  std::int64_t fixed_bytes(std::int64_t round) const;  // without its tasks
};

ApplicationTemplate make_application_template(RealLog log, const TemplateOptions& options);

}  // namespace stagegate::bench
