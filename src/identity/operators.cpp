#include "identity/operators.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "identity/characters.h"
#include "identity/normal_text.h"
#include "identity/stable_text.h"

namespace stagegate {
namespace {

// "InMemoryFileIndex(1 paths)[file:/ci/work/lake/orders]" -> "orders". Of a path that was cut off ("re...") the last whole part counts.
std::string place_of_location(std::string_view location) {
  const auto list = location.find('[');
  auto paths = list == std::string_view::npos ? location : location.substr(list + 1);
  // In a plan's text more follows: "[file:/lake/orders], PartitionFilters: []", "[file:/lake/ord..., PartitionFilters: []".
  if (const auto more = paths.find("], "); more != std::string_view::npos) {
    paths = paths.substr(0, more);
  } else if (const auto cut = paths.find("..., "); cut != std::string_view::npos) {
    paths = paths.substr(0, cut + 3);
  } else if (paths.ends_with(']')) {
    paths.remove_suffix(1);
  }
  const auto path = first_path(paths);
  return place_name(path.ends_with("...") ? path.substr(0, path.rfind('/')) : path);
}

// "Scan parquet db.orders" and "BatchScan lake.db.orders" name their table; the default catalog and database go without saying.
std::string table_of(std::string_view node_name) {
  const auto words = split(trim(node_name), ' ');
  const bool is_v2 = words.front().ends_with("BatchScan");
  if (words.size() < (is_v2 ? 2U : 3U)) {
    return {};
  }
  std::string_view table = is_v2 ? words.back() : words[2];
  for (const std::string_view prefix : {"spark_catalog.", "default."}) {
    if (table.starts_with(prefix)) {
      table.remove_prefix(prefix.size());
    }
  }
  return table.find('/') == std::string_view::npos ? std::string(table) : place_name(table);
}

// "public.orders" of "Scan JDBCRelation(public.orders) [numPartitions=1]"
std::string jdbc_table_of(std::string_view node_name) {
  constexpr std::string_view relation = "JDBCRelation(";
  const auto at = node_name.find(relation);
  if (at == std::string_view::npos) {
    return {};
  }
  const auto table = node_name.substr(at + relation.size());
  return std::string(table.substr(0, table.find(')')));
}

std::string_view location_of(const PlanNode& node) {
  if (const auto location = node.metadata_of("Location"); !location.empty()) {
    return location;
  }
  constexpr std::string_view key = "Location: ";
  const auto at = node.simple_string.find(key);
  return at == std::string_view::npos ? std::string_view() : node.simple_string.substr(at + key.size());
}

std::string file_scan_text(const PlanNode& node) {
  std::string text = fmt::format("Scan {} {}", to_lower_ascii(node.metadata_of("Format")), source_name(node));
  for (const std::string_view key : {"ReadSchema", "PushedFilters", "PartitionFilters"}) {
    text += fmt::format(", {}: {}", key, normal_text(node.metadata_of(key)));
  }
  return text;
}

}  // namespace

std::string operator_name(std::string_view node_name) {
  if (node_name.starts_with("Scan In-memory table")) {
    return "InMemoryTableScan";
  }
  if (node_name.starts_with("Execute ")) {
    node_name.remove_prefix(std::string_view("Execute ").size());
  }
  const auto name = without_accelerator(node_name.substr(0, run_length(node_name, is_word)));
  return std::string(name == "CustomShuffleReader" ? "AQEShuffleRead" : name);
}

bool is_wrapper(std::string_view name) {
  constexpr std::array<std::string_view, 16> wrappers{
      "AdaptiveSparkPlan", "ResultQueryStage", "ShuffleQueryStage", "BroadcastQueryStage", "TableCacheQueryStage", "WholeStageCodegen",
      "InputAdapter",      "ColumnarToRow",    "RowToColumnar",     "AQEShuffleRead",      "CoalesceBatches",      "ShuffleCoalesce",
      "WriteFiles",        "CommandResult",    "CollectMetrics",    "BringBackToHost",
  };
  return std::find(wrappers.begin(), wrappers.end(), name) != wrappers.end();
}

bool is_broadcast(std::string_view name) {
  return name == "BroadcastExchange";
}

bool is_shuffle(std::string_view name) {
  return name.ends_with("Exchange") && !is_broadcast(name) && name != "ReusedExchange";
}

bool is_broadcast_join(std::string_view name) {
  return name.find("Join") != std::string_view::npos && name.find("Broadcast") != std::string_view::npos;
}

bool is_shuffled_join(std::string_view name) {
  const bool shuffles = name.find("SortMerge") != std::string_view::npos || name.find("Shuffled") != std::string_view::npos;
  return shuffles && name.find("Join") != std::string_view::npos;
}

bool is_source(std::string_view name) {
  return name == "Range" || (name.ends_with("Scan") && name != "InMemoryTableScan");
}

std::string normal_text(const PlanNode& node) {
  auto name = operator_name(node.name);
  if (is_broadcast(name)) {
    return name;  // its mode repeats the join's keys, in words that each version has of its own
  }
  if (name == "Scan" && !node.metadata_of("Format").empty()) {
    return file_scan_text(node);
  }
  return normal_text(node.simple_string);
}

std::string source_name(const PlanNode& node) {
  const auto name = operator_name(node.name);
  if (name == "Range") {
    return "range";
  }
  if (name == "LocalTableScan") {
    return "local rows";
  }
  if (auto table = jdbc_table_of(node.name); !table.empty()) {
    return table;
  }
  if (auto table = table_of(node.name); !table.empty()) {
    return table;
  }
  if (const auto location = location_of(node); !location.empty()) {
    return place_of_location(location);
  }
  return "rdd";
}

}  // namespace stagegate
