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

// 12 of "events_12_app-1.zstd".
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

}  // namespace stagegate
