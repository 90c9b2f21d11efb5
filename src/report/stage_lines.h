// Which lines a stage table has, in which order, and what each is called; how they look is the table's.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/application.h"
#include "model/finding.h"
#include "model/stage.h"
#include "report/report.h"
#include "report/terminal.h"

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

// "3", or "3.1" for its second attempt
std::string stage_number(const StageAttempt& attempt);
// "200", or "198/200" where that many of them have a success
std::string tasks_text(const StageAttempt& attempt);
// What a stage failed with, in a line: the first of TEXT, and where Python's traceback begins there, its exception in place of that.
std::string reason_line(std::string_view text, std::size_t max_width = kNoLimit);
// Heading and label; the label alone where it says the heading already.
std::string full_label(const StageLine& line);

// The word for a stage that did not simply end: "FAILED", "skipped", ...; "" for one that did.
std::pair<std::string_view, Style> status_word(StageStatus status);

std::optional<std::int64_t> total(const StageAttempt& attempt, Metric metric);
// Of its tasks' durations; the median in quarters of a millisecond, as distributions keep it.
std::optional<std::int64_t> median_time_quarters(const StageAttempt& attempt);
std::optional<std::int64_t> slowest_time_ms(const StageAttempt& attempt);

}  // namespace stagegate
