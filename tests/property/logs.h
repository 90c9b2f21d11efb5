// The logs that the properties are shown on, and what is asked of a reading.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ingest/read_log.h"
#include "model/application.h"
#include "unit/ingest/memory_source.h"

namespace stagegate {

// Of Spark 4.1.1: adaptive execution, two jobs, a skipped stage; 80 KB in 28 lines.
const std::string& real_log();

// Many short lines: stages of many tasks, some of which fail, are killed, lose their output or win late; 140 KB.
const std::string& busy_log();

ReadOptions all_of(int threads = 1);

Result<Application> read_bytes(const std::string& bytes, const ReadOptions& options = all_of(), std::size_t step = std::string::npos);

// All that the log says, read whole, plain and by one thread.
std::string truth_of(const std::string& log);

// Fails where RESULT claims to be complete and is not TRUTH, or is another error than that the log cannot be read. WHAT: for the message.
void expect_truth_or_incomplete(const Result<Application>& result, const std::string& truth, std::string_view what, std::size_t number);

// Cut at line ends into N pieces of about the same size.
std::vector<std::string> cut_into(const std::string& log, std::size_t pieces);

// A rolling log of these parts, which Spark has closed.
MemoryFiles rolling(const std::vector<std::string>& parts, std::string_view packing = "plain");

}  // namespace stagegate
