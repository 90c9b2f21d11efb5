// Files that are written whole or not at all.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace stagegate {

// Writes a temporary file beside PATH, syncs it and renames it: PATH holds the old or the new bytes, never half. Missing folders are made.
// Kind: output. A full disk is an error and leaves no temporary file.
Status write_file(const std::string& path, std::string_view bytes);

// The moments of write_file() at which the disk is another than it was the moment before.
enum class WriteStep { temporary_made, half_written, written, synced, renamed };

// As write_file(), and calls ON_STEP at each step that it passes: for tests of what a process that dies there leaves.
Status write_file(const std::string& path, std::string_view bytes, const std::function<void(WriteStep)>& on_step);

}  // namespace stagegate
