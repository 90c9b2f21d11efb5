// The entrance to ingest/: an event log in, an Application out.
//
// What is wrong inside a log (a broken line, a missing part, a stage without an end) never fails the reading: it is a problem in
// Application::evidence, so that a report can show what there is. An error (ErrorKind::evidence) means that there is no event at all, or
// that the bytes cannot be read.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/byte_source.h"
#include "base/result.h"
#include "model/application.h"

namespace stagegate {

struct ReadOptions {
  TaskDepth depth = TaskDepth::judged;
};

// One file, in any form that is told by its first bytes: plain or zstd. NAME is the file's name without its folder: `.inprogress` at its
// end marks a log that was not closed.
Result<Application> read_log_file(std::unique_ptr<ByteSource> source, std::string_view name, const ReadOptions& options = {});

// A rolling folder (`eventlog_v2_*`), or a folder that holds exactly one log (file or rolling folder). NAME is the folder's.
// A folder of several applications is an error that lists them.
Result<Application> read_log_folder(const Folder& folder, std::string_view name, const ReadOptions& options = {});

}  // namespace stagegate
