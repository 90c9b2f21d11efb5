// A Spark property of an application, looked up in its log: the way to find one's own log among many.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/byte_source.h"
#include "base/result.h"

namespace stagegate {

// What the first environment event of ENTRY says of the property KEY; ENTRY is a log file, or the folder of a rolling log, in FOLDER. No
// more is read than up to that event. Absent: it has no such event (yet), has it without the property, or is no log. The error is that of
// the source.
Result<std::optional<std::string>> spark_property_of(const Folder& folder, const FolderEntry& entry, std::string_view key);

}  // namespace stagegate
