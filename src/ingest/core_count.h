// Spark's defaultParallelism, as its scheduler backends work it out: `spark.default.parallelism` where the application sets it, else the
// cores of the executors that are registered; at least 2 on a cluster (CoarseGrainedSchedulerBackend), those of the driver in local mode
// (LocalSchedulerBackend).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace stagegate {

class CoreCount {
 public:
  // Settings of a session have no say in it, only the application's.
  void set_properties(const std::map<std::string, std::string>& spark_properties);
  void add_executor(std::string_view id, std::int64_t cores);
  void remove_executor(std::string_view id);

  // At this moment; absent where the log does not tell.
  std::optional<std::int64_t> effective() const;

 private:
  std::optional<std::int64_t> parallelism_;
  std::string master_;
  std::map<std::string, std::int64_t, std::less<>> executors_;
  bool seen_executor_ = false;
  bool seen_driver_ = false;
};

}  // namespace stagegate
