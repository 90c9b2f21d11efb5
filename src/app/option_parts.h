// Options that several commands share. CLI11 stays in the files that parse.
#pragma once

#include <functional>
#include <map>
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

// An option whose values are names: the help lists them, an unknown one is refused with the list.
void add_choice(CLI::App* command, const std::string& name, const std::vector<std::string>& names, const std::string& help,
                const std::function<void(const std::string&)>& set);
// CHOICES must outlive the parsing.
template <typename T>
void add_choice(CLI::App* command, const std::string& name, T& target, const std::map<std::string, T>& choices, const std::string& help) {
  std::vector<std::string> names;
  names.reserve(choices.size());
  for (const auto& [key, value] : choices) {
    names.push_back(key);
  }
  add_choice(command, name, names, help, [&target, &choices](const std::string& text) { target = choices.at(text); });
}

// --across-versions
void add_across_versions(CLI::App* command, SparkVersions& versions);

// How a server is asked: --rest, --wait, credentials, certificates, time-outs.
void add_web(CLI::App* command, WebOptions& web);
// Of these, in the help.
inline constexpr const char* kWebGroup = "Where SOURCE is an address";

void add_compare(CLI::App& app, Command& chosen);
// `baseline` and the commands below it.
void add_baseline(CLI::App& app, Command& chosen);

}  // namespace stagegate
