#include "ingest/core_count.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace stagegate {
namespace {

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number <= 0) {
    return std::nullopt;
  }
  return number;
}

std::string property(const std::map<std::string, std::string>& properties, const std::string& key) {
  const auto found = properties.find(key);
  return found == properties.end() ? std::string() : found->second;
}

// 4 of "local[4]" and of "local[4, 2]"; 1 of "local"; none of "local[*]".
std::optional<std::int64_t> cores_of_local(std::string_view master) {
  if (master == "local") {
    return 1;
  }
  const auto begin = master.find('[') + 1;
  return whole_number(master.substr(begin, master.find_first_of(",]", begin) - begin));
}

}  // namespace

void CoreCount::set_properties(const std::map<std::string, std::string>& spark_properties) {
  parallelism_ = whole_number(property(spark_properties, "spark.default.parallelism"));
  master_ = property(spark_properties, "spark.master");
}

void CoreCount::add_executor(std::string_view id, std::int64_t cores) {
  seen_executor_ = true;
  seen_driver_ = seen_driver_ || id == "driver" || id == "<driver>" || id == "localhost";
  executors_.insert_or_assign(std::string(id), std::clamp<std::int64_t>(cores, 0, 1 << 30));
}

void CoreCount::remove_executor(std::string_view id) {
  if (const auto found = executors_.find(id); found != executors_.end()) {
    executors_.erase(found);
  }
}

std::optional<std::int64_t> CoreCount::effective() const {
  if (parallelism_) {
    return parallelism_;
  }
  const auto registered = std::accumulate(executors_.begin(), executors_.end(), std::int64_t{0},
                                          [](std::int64_t sum, const auto& entry) { return sum + entry.second; });
  const bool local = seen_driver_ || master_ == "local" || master_.starts_with("local[");
  if (local) {
    return seen_executor_ ? std::optional(registered) : cores_of_local(master_);
  }
  const bool nothing_known = master_.empty() && !seen_executor_;
  return nothing_known ? std::nullopt : std::optional(std::max<std::int64_t>(registered, 2));
}

}  // namespace stagegate
