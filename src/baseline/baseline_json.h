// Baseline files: canonical JSON, made to be read in a pull request (design 8).
//
// Keys are sorted, a stage is one block, numbers are integers, the file ends in a line feed. No times, hosts, ids, absolute paths or
// tool versions: accepting an unchanged result changes no byte.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/baseline.h"

namespace stagegate {

std::string write_baseline(const Baseline& baseline);

// FILE is for messages. Errors, all of kind usage: not JSON (with line and column), merge conflict markers (with the line and how to
// resolve them), a schema that is newer than this stagegate's, a missing or mistyped member, a file of another job or variant.
Result<Baseline> read_baseline(std::string_view text, const std::string& file, const std::string& job, const std::string& variant);

}  // namespace stagegate
