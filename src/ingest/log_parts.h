// Logs that are folders: which of the files in them are their parts, in which order, and what is missing.
//
// A rolling event log is a folder `eventlog_v2_*` of parts `events_<n>_<application>[.<codec>]`, with n from 1, and a zero-byte file
// `appstatus_<application>[.inprogress]` (EventLogFileWriters.scala). A history server may have replaced the parts up to some n by one
// `events_<n>_*.compact`, in which the events of finished jobs are gone.
//
// Spark up to 1.2 wrote a folder with `EVENT_LOG_1`, `SPARK_VERSION_<version>`, and `APPLICATION_COMPLETE` at the end. Databricks delivers
// a cluster's log as a folder with `eventlog-<YYYY-MM-DD--HH-MM>.gz` for each hour or so that is over, and `eventlog` for the last one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "model/application.h"

namespace stagegate {

struct LogParts {
  std::vector<std::string> names;         // in their order
  std::vector<EvidenceProblem> problems;  // missing, doubled or compacted parts
  bool parts_gone = false;
  bool in_progress = false;
  std::optional<std::string> spark_version;  // where a file's name tells: logs up to 1.2 do not say it themselves
};

// Of a folder that is a log, by the names in it. Dot files, which Hadoop's local file system leaves, count for nothing.
std::optional<LogParts> parts_of_log(std::span<const FolderEntry> entries);

// Of a file that is taken for a log by itself: in progress where it is named so, and not the whole of a rolling log whose later part it is.
LogParts parts_of_file(std::string_view name);

// 12 of "events_12_app-1.zstd": a part of a rolling log.
std::optional<std::int64_t> part_number(std::string_view name);

// Of rolling logs.
bool is_rolling_log(std::span<const FolderEntry> entries);

LogParts order_parts(std::span<const FolderEntry> entries);

}  // namespace stagegate
