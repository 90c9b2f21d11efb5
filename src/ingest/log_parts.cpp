#include "ingest/log_parts.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace stagegate {
namespace {

constexpr std::string_view kPartPrefix = "events_";
constexpr std::string_view kStatusPrefix = "appstatus_";
constexpr std::string_view kInProgress = ".inprogress";
constexpr std::string_view kCompact = ".compact";

// Names of each number, sorted.
using Numbered = std::map<std::int64_t, std::vector<std::string>>;

struct Inventory {
  Numbered parts;
  Numbered compacted;
  bool closed = false;
  bool in_progress = false;
};

Inventory take_inventory(std::span<const FolderEntry> entries) {
  Inventory inventory;
  for (const auto& entry : entries) {
    if (const auto number = part_number(entry.name); number && !entry.is_folder) {
      auto& numbered = entry.name.ends_with(kCompact) ? inventory.compacted : inventory.parts;
      numbered[*number].push_back(entry.name);
    } else if (entry.name.starts_with(kStatusPrefix)) {
      auto& state = entry.name.ends_with(kInProgress) ? inventory.in_progress : inventory.closed;
      state = true;
    }
  }
  for (auto* numbered : {&inventory.parts, &inventory.compacted}) {
    for (auto& [number, names] : *numbered) {
      std::sort(names.begin(), names.end());
    }
  }
  return inventory;
}

bool is_contiguous_from_one(const Numbered& parts) {
  return !parts.empty() && parts.begin()->first == 1 && parts.rbegin()->first == static_cast<std::int64_t>(parts.size());
}

// Puts the last compacted part in the place of all up to its number. While the originals are all still there, nothing is lost.
std::optional<EvidenceProblem> apply_compaction(Inventory& inventory) {
  if (inventory.compacted.empty() || is_contiguous_from_one(inventory.parts)) {
    return std::nullopt;
  }
  const auto& [number, names] = *inventory.compacted.rbegin();
  inventory.parts.erase(inventory.parts.begin(), inventory.parts.upper_bound(number));
  inventory.parts.emplace(number, names);
  return EvidenceProblem{"compacted",
                         fmt::format("a history server has compacted the log up to part {}: the jobs that had ended by then, and "
                                     "their stages, are gone",
                                     number)};
}

std::string range_text(std::int64_t first, std::int64_t last) {
  return first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last);
}

std::optional<EvidenceProblem> find_missing(const Numbered& parts, std::int64_t first_expected) {
  std::string missing;
  std::int64_t expected = first_expected;
  std::int64_t count = 0;
  for (const auto& [number, names] : parts) {
    if (number > expected) {
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", range_text(expected, number - 1));
      count += number - expected;
    }
    expected = number + 1;
  }
  if (count == 0) {
    return std::nullopt;
  }
  return EvidenceProblem{"part-missing", fmt::format("{} of the log's {} parts {} missing (number {}): what happened then is unknown",
                                                     count, expected - first_expected, count == 1 ? "is" : "are", missing)};
}

std::optional<EvidenceProblem> find_doubled(const Numbered& parts) {
  for (const auto& [number, names] : parts) {
    if (names.size() > 1) {
      return EvidenceProblem{"part-doubled", fmt::format("part {} of the log is there {} times ('{}', '{}'); the first was read", number,
                                                         names.size(), names[0], names[1])};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> part_number(std::string_view name) {
  if (!name.starts_with(kPartPrefix)) {
    return std::nullopt;
  }
  const auto rest = name.substr(kPartPrefix.size());
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  const bool good = error == std::errc() && number > 0 && end != rest.data() + rest.size() && *end == '_';
  return good ? std::optional(number) : std::nullopt;
}

bool is_rolling_log(std::span<const FolderEntry> entries) {
  return std::any_of(entries.begin(), entries.end(), [](const FolderEntry& entry) {
    return !entry.is_folder && (part_number(entry.name).has_value() || entry.name.starts_with(kStatusPrefix));
  });
}

LogParts order_parts(std::span<const FolderEntry> entries) {
  LogParts result;
  auto inventory = take_inventory(entries);
  const auto compacted = apply_compaction(inventory);
  const auto first_expected = compacted && !inventory.parts.empty() ? inventory.parts.begin()->first : 1;
  const auto missing = find_missing(inventory.parts, first_expected);
  for (const auto& problem : {compacted, missing, find_doubled(inventory.parts)}) {
    if (problem) {
      result.problems.push_back(*problem);
    }
  }
  result.parts_gone = compacted || missing;
  result.in_progress = inventory.in_progress && !inventory.closed;
  for (const auto& [number, names] : inventory.parts) {
    result.names.push_back(names.front());
  }
  return result;
}

namespace {

constexpr std::string_view kOldLog = "EVENT_LOG_";
constexpr std::string_view kOldVersion = "SPARK_VERSION_";
constexpr std::string_view kOldComplete = "APPLICATION_COMPLETE";

std::optional<LogParts> parts_of_old_log(std::span<const FolderEntry> entries) {
  LogParts result;
  result.in_progress = true;
  for (const auto& entry : entries) {
    if (entry.name.starts_with(kOldLog) && !entry.is_folder) {
      result.names.push_back(entry.name);
    } else if (entry.name.starts_with(kOldVersion)) {
      result.spark_version = entry.name.substr(kOldVersion.size());
    } else if (entry.name == kOldComplete) {
      result.in_progress = false;
    }
  }
  std::sort(result.names.begin(), result.names.end());
  return result.names.empty() ? std::nullopt : std::optional(std::move(result));
}

// "eventlog" or "eventlog-2026-11-30--08-00.gz"
bool is_databricks_part(std::string_view name) {
  constexpr std::string_view kName = "eventlog";
  constexpr std::string_view kStamp = "-dddd-dd-dd--dd-dd";
  if (!name.starts_with(kName)) {
    return false;
  }
  const auto stamp = name.substr(kName.size(), kStamp.size());
  const auto fits = [](char pattern, char c) { return pattern == 'd' ? c >= '0' && c <= '9' : pattern == c; };
  const bool stamped = stamp.size() == kStamp.size() && std::equal(kStamp.begin(), kStamp.end(), stamp.begin(), fits);
  const auto rest = name.substr(std::min(name.size(), kName.size() + (stamped ? kStamp.size() : 0)));
  return rest.empty() || (rest.front() == '.' && rest.find_first_of("/_") == std::string_view::npos);
}

// By time, the one without a stamp last. That some are missing cannot be told: an idle hour has none.
std::optional<LogParts> parts_of_databricks_log(std::span<const FolderEntry> entries) {
  LogParts result;
  for (const auto& entry : entries) {
    if (is_databricks_part(entry.name) && !entry.is_folder) {
      result.names.push_back(entry.name);
    }
  }
  const auto is_last = [](const std::string& name) { return !name.starts_with("eventlog-"); };
  std::sort(result.names.begin(), result.names.end(),
            [&](const std::string& a, const std::string& b) { return is_last(a) != is_last(b) ? is_last(b) : a < b; });
  return result.names.empty() ? std::nullopt : std::optional(std::move(result));
}

}  // namespace

LogParts parts_of_file(std::string_view name) {
  LogParts result;
  result.names.emplace_back(name);
  result.in_progress = name.ends_with(kInProgress);
  if (const auto number = part_number(name); number && *number > 1) {
    result.parts_gone = true;
    result.problems.push_back(
        {"part-missing",
         fmt::format("'{}' is part {} of a rolling log: what the parts before it hold is missing; name the folder that it lies in", name,
                     *number)});
  }
  return result;
}

std::optional<LogParts> parts_of_log(std::span<const FolderEntry> entries) {
  if (is_rolling_log(entries)) {
    return order_parts(entries);
  }
  if (auto old = parts_of_old_log(entries)) {
    return old;
  }
  return parts_of_databricks_log(entries);
}

}  // namespace stagegate
