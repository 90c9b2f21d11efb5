// What the commands print: results to stdout, everything else to stderr.
#pragma once

#include <string_view>

#include "app/options.h"
#include "base/result.h"
#include "report/report.h"
#include "sys/machine.h"

namespace stagegate {

// --color, then NO_COLOR, FORCE_COLOR, TERM=dumb, then whether the stream is a terminal.
Color color_for(ColorChoice choice, Stream stream);

void print_result(std::string_view text);
void print_message(std::string_view text);

// Prints the error to stderr and returns its exit code.
int report_error(const Error& error);

// Flushes stdout; false where something that was printed did not arrive (a full disk).
bool flush_results();

}  // namespace stagegate
