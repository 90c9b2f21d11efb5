#include "manifest/evidence_table.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "manifest/job_settings.h"

namespace stagegate::manifest {
namespace {

// "hdfs:///spark-history", but neither "/mnt/logs" nor "C:/logs".
bool has_scheme(std::string_view text) {
  const auto colon = text.find(':');
  return colon != std::string_view::npos && colon > 1 && text.substr(0, colon).find('/') == std::string_view::npos;
}

// A path, "file:///mnt/spark-events" or another of Spark's addresses.
void read_log_dir(TableReader& table, EvidencePlace& place) {
  constexpr std::string_view key = "event_log_dir";
  constexpr std::string_view file = "file:";
  const auto text = table.some_text(key);
  if (!text) {
    return;
  }
  if (!has_scheme(text->value)) {
    place.log_dir = read_path(table, key);
    place.log_dir_is_here = place.log_dir.has_value();
    return;
  }
  place.log_dir = text->value;
  if (!text->value.starts_with(file)) {
    return;
  }
  const auto path = std::string_view(text->value).substr(file.size());
  place.log_dir = path.substr(path.starts_with("//") ? 2 : 0);
  place.log_dir_is_here = true;
  if (!place.log_dir->starts_with('/')) {
    table.problem(text->at,
                  fmt::format("'{}' {}: a file: address has an absolute path, as in file:///mnt/spark-events", key, table.where()));
  }
}

void read_history_server(TableReader& table, EvidencePlace& place) {
  constexpr std::string_view key = "history_server";
  auto text = table.some_text(key);
  if (!text) {
    return;
  }
  if (!text->value.starts_with("http://") && !text->value.starts_with("https://")) {
    table.problem(text->at, fmt::format("'{}' {} is no address of the web, such as \"http://history:18080\"", key, table.where()));
  }
  place.history_server = std::move(text->value);
}

void read_text(TableReader& table, std::string_view key, std::optional<std::string>& target) {
  if (auto text = table.some_text(key)) {
    target = std::move(text->value);
  }
}

}  // namespace

EvidencePlace read_evidence_place(TableReader& file) {
  EvidencePlace place;
  auto table = file.table("evidence");
  if (!table) {
    return place;
  }
  read_log_dir(*table, place);
  read_history_server(*table, place);
  place.wait = read_duration(*table, "wait").value_or(place.wait);
  read_text(*table, "user", place.user);
  read_text(*table, "token_env", place.token_variable);
  place.ca_file = read_path(*table, "ca_file");
  if (place.log_dir && !place.log_dir_is_here && !place.history_server) {
    table->problem(table->at("event_log_dir"),
                   fmt::format("'event_log_dir' {} is no folder of this machine; add the history_server that reads it", table->where()));
  }
  if (!place.elsewhere()) {
    table->problem(table->at(), "[evidence] names neither an event_log_dir nor a history_server");
  }
  table->unknown_keys_are_problems();
  return place;
}

}  // namespace stagegate::manifest
