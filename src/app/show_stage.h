// `stagegate report SOURCE --stage ID`: one stage whole.
#pragma once

#include <span>
#include <string>

#include "app/options.h"
#include "base/result.h"
#include "model/application.h"
#include "model/finding.h"
#include "model/stage.h"

namespace stagegate {

// OPTIONS.stage is there; the format is text or json. Kind usage: the application has no such stage.
Result<std::string> show_stage(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings,
                               const ReportOptions& options);

}  // namespace stagegate
