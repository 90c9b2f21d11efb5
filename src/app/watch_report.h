// The report of a live UI, shown again while its application runs.
#pragma once

#include <functional>
#include <string>

#include "app/options.h"
#include "base/result.h"
#include "model/application.h"

namespace stagegate {

// RENDER gives the report as text. On a terminal each takes the place of the one before; else one follows the other, where it has changed.
// Ends with the application: what was seen last stays. Returns the exit code.
int watch_report(const SourceOptions& source, const std::function<Result<std::string>(const Application&)>& render);

}  // namespace stagegate
