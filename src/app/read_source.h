// SOURCE, as given on the command line -> the application. What takes over a second shows its progress on a terminal.
#pragma once

#include <functional>

#include "app/options.h"
#include "base/result.h"
#include "model/application.h"

namespace stagegate {

// How many threads work on it: as many as were asked for, or as there are cores.
int threads_for(const SourceOptions& source);

// Kind evidence: it is not there, cannot be read, or holds no event; kind usage: it holds several applications and it is not said which.
Result<Application> read_source(const SourceOptions& source, TaskDepth depth);

// Every application of the source, in the order of their names. What cannot be read is handed over as its error, and the others follow; the
// error that comes back is that of a source that cannot be looked into at all.
Status read_all_of_source(const SourceOptions& source, TaskDepth depth,
                          const std::function<void(const Result<Application>&)>& on_application);

}  // namespace stagegate
