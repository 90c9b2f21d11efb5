#include "manifest/job_settings.h"

#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/path.h"
#include "base/units.h"
#include "manifest/conf.h"
#include "manifest/placeholders.h"

namespace stagegate::manifest {
namespace {

// Far from where adding one to a clock overflows.
constexpr auto kLongestDuration = std::chrono::hours(365 * 24);

// A folder's Python, or the name of one on PATH.
std::optional<std::string> read_python(TableReader& table) {
  const auto text = table.some_text("python");
  if (!text || text->value.find('/') == std::string::npos) {
    return text ? std::optional(text->value) : std::nullopt;
  }
  return read_path(table, "python");
}

// Nobody means to run a job a thousand times in a row.
std::optional<int> read_runs(TableReader& table) {
  const auto runs = table.integer("runs");
  if (!runs) {
    return std::nullopt;
  }
  if (runs->value < 1 || runs->value > kMostRuns) {
    table.problem(runs->at, fmt::format("'runs' {} must be 1 to {}, not {}", table.where(), kMostRuns, runs->value));
    return std::nullopt;
  }
  return static_cast<int>(runs->value);
}

}  // namespace

std::optional<std::chrono::milliseconds> read_duration(TableReader& table, std::string_view key) {
  const auto text = table.some_text(key, "a string such as \"15 min\"");
  if (!text) {
    return std::nullopt;
  }
  const auto duration = parse_duration(text->value);
  if (!duration) {
    table.problem(text->at, fmt::format("'{}' {}: {}", key, table.where(), duration.error().message));
    return std::nullopt;
  }
  if (*duration > kLongestDuration) {
    table.problem(text->at, fmt::format("'{}' {} is more than a year", key, table.where()));
    return std::nullopt;
  }
  return *duration;
}

std::optional<std::string> read_path(TableReader& table, std::string_view key) {
  const auto text = table.some_text(key);
  if (!text) {
    return std::nullopt;
  }
  if (text->value.starts_with('~')) {
    table.problem(text->at,
                  fmt::format("'{}' {} begins with '~', which no shell is there to fill in; write '${{HOME}}'", key, table.where()));
    return std::nullopt;
  }
  return absolute_path(text->value, table.context().dir);
}

SparkChoice read_spark_choice(TableReader& table) {
  SparkChoice choice;
  choice.home = read_path(table, "home");
  choice.python = read_python(table);
  if (auto master = table.some_text("master")) {
    choice.master = std::move(master->value);
  }
  return choice;
}

std::optional<std::vector<std::string>> read_words(TableReader& table, std::string_view key) {
  const auto texts = table.texts(key, InsertedBraces::doubled);
  if (!texts) {
    return std::nullopt;
  }
  std::vector<std::string> words;
  for (const auto& text : *texts) {
    if (const auto finding = find_bad_placeholder(text.value)) {
      table.problem(text.at, fmt::format("'{}' {}: {}", key, table.where(), *finding));
    }
    words.push_back(text.value);
  }
  return words;
}

JobSettings read_settings(TableReader& table, SettingsOf kind) {
  JobSettings settings;
  settings.conf = read_conf(table);
  settings.environment = read_environment(table);
  settings.args = read_words(table, "args");
  settings.timeout = read_duration(table, "timeout");
  settings.runs = read_runs(table);
  if (kind != SettingsOf::defaults) {
    settings.spark = read_spark_choice(table);
  }
  if (kind != SettingsOf::variant) {
    if (auto owner = table.text("owner")) {
      settings.owner = std::move(owner->value);
    }
  }
  return settings;
}

}  // namespace stagegate::manifest
