// SOURCE, as given on the command line -> the application.
#pragma once

#include <string>

#include "base/result.h"
#include "ingest/read_log.h"
#include "model/application.h"

namespace stagegate {

// A file or a folder, relative to the working directory. Kind evidence: it is not there, cannot be read, or holds no event.
Result<Application> read_source(const std::string& source, const ReadOptions& options = {});

}  // namespace stagegate
