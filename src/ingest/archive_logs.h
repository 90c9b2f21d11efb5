// The logs in an archive, read in one pass: its entries come in any order, and once.
//
// Events are held (packed, about a hundred bytes a task) until it is known to which log they belong and in which order. In an archive of
// several applications those that are not wanted are let go as soon as they are known.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "base/result.h"
#include "ingest/log_choice.h"
#include "model/application.h"

namespace stagegate {

// BYTES are those of a zip, or of a tar that is unpacked already. NAME is the archive's.
Result<Application> read_archived_log(std::unique_ptr<ByteSource> bytes, std::string_view name, TaskDepth depth, const LogChoice& choice);

Result<std::vector<LogHead>> list_archived_logs(std::unique_ptr<ByteSource> bytes, std::string_view name);

}  // namespace stagegate
