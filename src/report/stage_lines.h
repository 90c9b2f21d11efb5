// Which lines a stage table has, in which order, and what each is called; how they look is the table's.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/application.h"
#include "model/finding.h"
#include "model/stage.h"
#include "report/report.h"

namespace stagegate {

// A stage attempt. The pointers are into what stage_lines() was given.
struct StageLine {
  const StageAttempt* attempt = nullptr;
  std::string heading;                   // stage_heading()
  std::string label;                     // the stage's, or Spark's name of it where it has none
  std::vector<const Finding*> findings;  // those of the stage, at its last attempt
};

// Sorted by stage: lines of one heading stand together, headings in the order of their first stage. Sorted by a number: largest first,
// absent ones last.
std::vector<StageLine> stage_lines(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings,
                                   StageFilter filter, StageSort sort);

std::optional<std::int64_t> total(const StageAttempt& attempt, Metric metric);
// Of its tasks' durations; the median in quarters of a millisecond, as distributions keep it.
std::optional<std::int64_t> median_time_quarters(const StageAttempt& attempt);
std::optional<std::int64_t> slowest_time_ms(const StageAttempt& attempt);

}  // namespace stagegate
