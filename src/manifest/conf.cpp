#include "manifest/conf.h"

#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace stagegate::manifest {
namespace {

constexpr std::string_view kNotInProperties(" \t\r\n=\0", 6);
constexpr std::string_view kNotInVariables("=\0", 2);

// What is wrong with the name of a property, if anything is, as the rest of a sentence.
std::optional<std::string_view> find_bad_property(const std::string& key) {
  if (!key.starts_with("spark.")) {
    return "does not begin with 'spark.', and Spark drops such properties";
  }
  if (key.find_first_of(kNotInProperties) != std::string::npos || key.ends_with('.')) {
    return "is not the name of a property of Spark";
  }
  return std::nullopt;
}

class ConfReader {
 public:
  explicit ConfReader(TableReader& conf) : conf_(conf) {}

  void read(const std::vector<Entry>& entries, const std::string& prefix) {
    for (const auto& entry : entries) {
      if (const auto* inner = std::get_if<Table>(&entry.value.data)) {
        read(inner->entries, prefix + entry.key + ".");
      } else {
        read_property(entry, prefix + entry.key);
      }
    }
  }

  std::map<std::string, std::string> properties() && { return std::move(properties_); }

 private:
  void read_property(const Entry& entry, const std::string& key) {
    if (const auto finding = find_bad_property(key)) {
      conf_.problem(entry.at, fmt::format("'{}' {} {}", key, conf_.where(), *finding));
      return;
    }
    if (const auto [other, is_new] = places_.emplace(key, entry.at); !is_new) {
      conf_.problem(entry.at, fmt::format("'{}' {} is also set at {}", key, conf_.where(), to_string(other->second)));
      return;
    }
    if (auto text = conf_.scalar(Entry{key, entry.at, entry.value})) {
      properties_.emplace(key, *std::move(text));
    }
  }

  TableReader& conf_;
  std::map<std::string, std::string> properties_;
  std::map<std::string, Position> places_;
};

}  // namespace

std::map<std::string, std::string> read_conf(TableReader& owner) {
  auto conf = owner.table("conf");
  if (!conf) {
    return {};
  }
  ConfReader reader(*conf);
  reader.read(conf->entries(), "");
  return std::move(reader).properties();
}

std::map<std::string, std::string> read_environment(TableReader& owner) {
  std::map<std::string, std::string> variables;
  auto table = owner.table("env");
  if (!table) {
    return variables;
  }
  for (const auto& entry : table->entries()) {
    if (entry.key.empty() || entry.key.find_first_of(kNotInVariables) != std::string::npos) {
      table->problem(entry.at, fmt::format("'{}' {} is not the name of an environment variable", entry.key, table->where()));
    } else if (auto text = table->scalar(entry)) {
      variables.emplace(entry.key, *std::move(text));
    }
  }
  return variables;
}

}  // namespace stagegate::manifest
