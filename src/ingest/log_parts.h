// A rolling event log is a folder `eventlog_v2_*` of parts `events_<n>_<application>[.<codec>]`, with n from 1, and a zero-byte file
// `appstatus_<application>[.inprogress]` (EventLogFileWriters.scala). A history server may have replaced the parts up to some n by one
// `events_<n>_*.compact`, in which the events of finished jobs are gone.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/byte_source.h"
#include "model/application.h"

namespace stagegate {

struct LogParts {
  std::vector<std::string> names;         // by number
  std::vector<EvidenceProblem> problems;  // missing, doubled or compacted parts
  bool parts_gone = false;
  bool in_progress = false;
};

// Whether a folder with these entries is a rolling log. Dot files, which Hadoop's local file system leaves, count for nothing.
bool is_rolling_log(std::span<const FolderEntry> entries);

LogParts order_parts(std::span<const FolderEntry> entries);

}  // namespace stagegate
