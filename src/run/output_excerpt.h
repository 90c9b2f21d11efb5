// What of a job's output a person has to see first when it failed. Texts are clean (base/text.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stagegate {

// Whether a line is a log line of Spark (or of the JVM's start) below ERROR, a progress bar, or a frame of Spark's, Scala's or Java's own.
bool is_noise(std::string_view line);

// The last Python traceback of a text, with its exception, in at most MAX_LINES lines: head and tail of a longer one. Where the exception
// is that of a Python worker, its message is another traceback, and both are shown. Empty where there is none.
std::vector<std::string> last_traceback(std::string_view text, std::size_t max_lines);

// The last lines that are no noise, at most MAX_LINES.
std::vector<std::string> last_telling_lines(std::string_view text, std::size_t max_lines);

}  // namespace stagegate
