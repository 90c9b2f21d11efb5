#include "baseline/effective_conf.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/secret.h"
#include "base/text.h"

namespace stagegate {
namespace {

// Spark turns paths into addresses and adds to lists; the rest is a matter of names and of the machine.
bool is_rewritten(std::string_view key) {
  constexpr std::array<std::string_view, 14> keys{"spark.jars",
                                                  "spark.jars.packages",
                                                  "spark.files",
                                                  "spark.archives",
                                                  "spark.submit.pyFiles",
                                                  "spark.app.name",
                                                  "spark.app.id",
                                                  "spark.driver.host",
                                                  "spark.driver.port",
                                                  "spark.driver.extraJavaOptions",
                                                  "spark.executor.extraJavaOptions",
                                                  "spark.driver.extraClassPath",
                                                  "spark.executor.extraClassPath",
                                                  "spark.sql.warehouse.dir"};
  return std::find(keys.begin(), keys.end(), key) != keys.end() || key.starts_with("spark.eventLog.");
}

// "TRUE" is true; nothing else is known to be the same.
bool is_same(std::string_view a, std::string_view b) {
  return trim(a) == trim(b) || to_lower_ascii(trim(a)) == to_lower_ascii(trim(b));
}

bool is_hidden(std::string_view value) {
  return value.find("(redacted)") != std::string_view::npos;
}

std::string shown(std::string_view key, std::string_view value) {
  constexpr std::size_t kMostBytes = 120;
  return is_secret_name(key) ? std::string(kRedacted) : clean_text(shorten_middle(value, kMostBytes));
}

std::string line_of(const std::string& key, const ConfValue& asked, std::string_view value, std::string_view place) {
  return fmt::format("{} asks for {} = {}, and it was {} in {}", asked.origin, key, shown(key, asked.value), shown(key, value), place);
}

// A streaming query runs its batches in a session of its own, in which Spark itself switches adaptive execution off (StreamExecution).
bool is_streaming_batch(const SqlExecution& execution) {
  return execution.description.find("\nrunId = ") != std::string::npos;
}

std::optional<std::string> overridden_in_sql(const std::string& key, const ConfValue& asked, const Application& application) {
  for (const auto& execution : application.executions) {
    const auto set = is_streaming_batch(execution) ? execution.modified_conf.end() : execution.modified_conf.find(key);
    if (set != execution.modified_conf.end() && !is_same(set->second, asked.value) && !is_hidden(set->second)) {
      return line_of(key, asked, set->second,
                     fmt::format("SQL execution {} ({}): the job's own code sets it (spark.conf.set or SET); take that out", execution.id,
                                 clean_text(shorten_middle(execution.description, 60))));
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> overridden_properties(const std::map<std::string, ConfValue>& asked, const Application& application) {
  std::vector<std::string> lines;
  for (const auto& [key, value] : asked) {
    if (is_rewritten(key) || value.value.find('{') != std::string::npos) {
      continue;
    }
    const auto effective = application.spark_properties.find(key);
    const bool is_other =
        effective != application.spark_properties.end() && !is_same(effective->second, value.value) && !is_hidden(effective->second);
    if (is_other) {
      lines.push_back(
          line_of(key, value, effective->second,
                  "the application's environment: the job's own code (the session's builder) or the platform sets it; take that "
                  "out, or let the variant ask for it"));
    } else if (auto line = overridden_in_sql(key, value, application)) {
      lines.push_back(*std::move(line));
    }
  }
  return lines;
}

}  // namespace stagegate
