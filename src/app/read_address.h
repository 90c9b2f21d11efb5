// SOURCE, where it is the address of a live UI or of a history server -> the application.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/options.h"
#include "base/result.h"
#include "model/application.h"
#include "run/spark_server.h"

namespace stagegate {

// The server that the address names, not yet asked. Kind usage: no such address, an option that does not go with it. Says on stderr that
// --insecure is in force.
Result<std::unique_ptr<SparkServer>> open_server(const SourceOptions& source);

// The one that is meant by the address and --app; with --wait, asked for until it is there and has ended. Kind usage: there are several,
// with a table of them; kind evidence: there is none.
Result<ServedApplication> find_served(SparkServer& server, const SourceOptions& source);

Result<Application> read_address(const SourceOptions& source, TaskDepth depth);

// As read_all_of_source().
Status read_all_of_address(const SourceOptions& source, TaskDepth depth,
                           const std::function<void(const Result<Application>&)>& on_application);

}  // namespace stagegate
