// The settings that [defaults], [jobs.X], [variants.X] and [jobs.X.variant.Y] share.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifest/manifest.h"
#include "manifest/table_reader.h"

namespace stagegate::manifest {

enum class SettingsOf : std::uint8_t { defaults, job, variant };

// conf, env, args, timeout and runs everywhere; python, home and master not in [defaults], which has [spark] for them; owner not in
// variants.
JobSettings read_settings(TableReader& table, SettingsOf kind);

// home, python, master
SparkChoice read_spark_choice(TableReader& table);

// An array of strings that go to a command line: placeholders are checked, and braces that come from the environment are doubled.
std::optional<std::vector<std::string>> read_words(TableReader& table, std::string_view key);

// "15 min"; at most a year.
std::optional<std::chrono::milliseconds> read_duration(TableReader& table, std::string_view key);

// The path of KEY, absolute. A relative one starts at the manifest's folder; no file system is asked.
std::optional<std::string> read_path(TableReader& table, std::string_view key);

}  // namespace stagegate::manifest
