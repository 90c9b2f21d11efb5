// How the stages of a result differ from those of a baseline, for people.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/baseline.h"

namespace stagegate {

// One stage that is new, gone, or has other numbers.
struct StageChange {
  std::string label;               // one line, cleaned
  std::vector<std::string> lines;  // "shuffle_read: 68.0 MiB -> 80.0 MiB (+17.6 %)", largest difference first
  std::int64_t moved_bytes = 0;    // the largest difference of a metric in bytes
  std::int64_t moved_records = 0;
};

// The stages that differ, most changed first: by bytes, then by records. Stages are matched as the judging of a run does it.
std::vector<StageChange> stage_changes(const Baseline& accepted, const Baseline& pending);

}  // namespace stagegate
