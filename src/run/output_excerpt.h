// What of a job's output a person has to see first when it failed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stagegate {

// Whether a line is a log line of Spark (or of the JVM's start) below ERROR, a progress bar, or a frame of Spark's, Scala's or Java's own.
bool is_noise(std::string_view line);

// From clean text, at most MAX_LINES lines: the last Python traceback with its exception where there is one, else the last lines that are
// no noise, else none.
std::vector<std::string> telling_lines(std::string_view text, std::size_t max_lines);

}  // namespace stagegate
