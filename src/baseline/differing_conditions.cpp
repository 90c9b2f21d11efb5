#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"
#include "baseline/judge.h"

namespace stagegate {
namespace {

std::string line(std::string_view field, std::string_view accepted, std::string_view current) {
  return fmt::format("{}: {} in the baseline, {} now", field, accepted, current);
}

std::string known(const std::string& version) {
  return version.empty() ? "unknown" : version;
}

std::string known(std::optional<std::int64_t> cores) {
  return cores ? format_count(*cores) : "unknown";
}

// As it was written; empty values and missing ones must not look alike.
std::string shown(const std::map<std::string, std::string>& conf, const std::string& key) {
  const auto found = conf.find(key);
  if (found == conf.end()) {
    return "not set";
  }
  return found->second.empty() ? "\"\"" : found->second;
}

void compare_conf(const std::map<std::string, std::string>& accepted, const std::map<std::string, std::string>& current,
                  std::vector<std::string>& lines) {
  auto keys = accepted;
  keys.insert(current.begin(), current.end());
  for (const auto& [key, value] : keys) {
    if (shown(accepted, key) != shown(current, key)) {
      lines.push_back(line("conf " + key, shown(accepted, key), shown(current, key)));
    }
  }
}

void compare_records(const std::map<std::string, std::int64_t>& accepted, const std::map<std::string, std::int64_t>& current,
                     const StageLinks& links, std::vector<std::string>& lines) {
  for (const auto& [label, records] : accepted) {
    const auto now = current.find(links.label_of_same_work(label));
    if (now != current.end() && now->second != records) {
      lines.push_back(line(fmt::format("records read by '{}'", now->first), format_count(records), format_count(now->second)));
    }
  }
}

}  // namespace

std::vector<std::string> differing_conditions(const Baseline& accepted, const Baseline& current, const StageLinks& links,
                                              SparkVersions versions) {
  const auto& before = accepted.conditions;
  const auto& now = current.conditions;
  std::vector<std::string> lines;
  if (before.spark != now.spark && versions == SparkVersions::must_be_the_same) {
    lines.push_back(line("spark", known(before.spark), known(now.spark)));
  }
  if (before.cores != now.cores) {
    lines.push_back(line("cores", known(before.cores), known(now.cores)));
  }
  compare_conf(before.conf, now.conf, lines);
  compare_records(before.source_records, now.source_records, links, lines);
  return lines;
}

}  // namespace stagegate
