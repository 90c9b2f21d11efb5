// How the stages of a result differ from those of a baseline, for people.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/baseline.h"
#include "model/stage_links.h"

namespace stagegate {

// One stage that is new, gone, or has other numbers.
struct StageChange {
  std::string label;               // one line, cleaned
  std::vector<std::string> lines;  // "shuffle_read: 68.0 MiB -> 80.0 MiB (+17.6 %)", largest difference first
  std::int64_t moved_bytes = 0;    // the largest difference of a metric in bytes
  std::int64_t moved_records = 0;
};

// The stages that differ in numbers or name, most changed first: by bytes, then by records. LINKS: from the stages of ACCEPTED to those of
// PENDING.
std::vector<StageChange> stage_changes(const Baseline& accepted, const Baseline& pending, const StageLinks& links);

}  // namespace stagegate
