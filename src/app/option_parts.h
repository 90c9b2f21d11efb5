// Options that several commands share. CLI11 stays in the files that parse.
#pragma once

#include <string>
#include <vector>

#include "app/options.h"

namespace CLI {
class App;
}

namespace stagegate {

// --manifest, --report-dir, --color
void add_common(CLI::App* command, CommonOptions& common);
// --job, --variant
void add_selection(CLI::App* command, std::vector<std::string>& jobs, std::vector<std::string>& variants);
// "" where TEXT is not empty, else what is wrong with it: an empty path is a variable that was not set, and the folder that it would stand
// for is not what was meant.
std::string refuse_empty(const std::string& text);

// How a server is asked: --rest, --wait, credentials, certificates, time-outs.
void add_web(CLI::App* command, WebOptions& web);
// Of these, in the help.
inline constexpr const char* kWebGroup = "Where SOURCE is an address";

// `baseline` and the commands below it.
void add_baseline(CLI::App& app, Command& chosen);

}  // namespace stagegate
