// The entrance to ingest/: an event log in, an Application out.
//
// What is wrong inside a log (a broken line, a missing part, a stage without an end) never fails the reading: it is a problem in
// Application::evidence, so that a report can show what there is. An error (ErrorKind::evidence) means that there is no event at all, or
// that the bytes cannot be read; of kind usage, that the source holds several applications and it is not said which.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "base/result.h"
#include "ingest/log_choice.h"
#include "model/application.h"

namespace stagegate {

struct ReadOptions {
  TaskDepth depth = TaskDepth::judged;
  // The same comes out for every number. One thread and its reading ahead hold a few MB; each further one at most 24 MB in all.
  int threads = 1;
  LogChoice choice;
  // Since something was last written to the source, where that is known: see LogState.
  std::optional<std::chrono::milliseconds> idle = {};
};

// One file: a log in any form that is told by its first bytes (plain, or packed with what Spark and people pack logs with), or a zip or tar
// archive of logs, which is read in one pass and never unpacked. NAME is the file's name without its folder: `.inprogress` at its end marks
// a log that was not closed.
Result<Application> read_log_file(std::unique_ptr<ByteSource> source, std::string_view name, const ReadOptions& options = {});

// A folder that is a log (log_parts.h), or holds logs: files, and such folders. NAME is the folder's.
Result<Application> read_log_folder(const Folder& folder, std::string_view name, const ReadOptions& options = {});

// The logs of a source, in the order of their names, for who wants them all; LogHead::log is what ReadOptions::choice takes. A source that
// is one log has one.
Result<std::vector<LogHead>> list_logs_in_file(std::unique_ptr<ByteSource> source, std::string_view name);
Result<std::vector<LogHead>> list_logs_in_folder(const Folder& folder, std::string_view name);

}  // namespace stagegate
