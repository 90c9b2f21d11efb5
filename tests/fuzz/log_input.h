// A folder of logs, made out of an input: names and contents of its files.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "fuzz/input.h"
#include "unit/ingest/memory_source.h"

namespace stagegate {

struct LogFiles {
  MemoryFiles files;
  std::map<std::string, MemoryFiles> folders;
};

// Each file is a byte that says how it is called, how it is stored and where it lies, a byte for the number in its name, and its sized
// text: see make_seeds, which writes such inputs. At most 32 files.
LogFiles take_log_files(Input& input);

}  // namespace stagegate
