// Which release of Spark an application ran on, as far as its metrics depend on it.
#pragma once

#include <compare>
#include <optional>
#include <string>

namespace stagegate {

struct SparkRelease {
  int major = 0;
  int minor = 0;

  friend auto operator<=>(const SparkRelease&, const SparkRelease&) = default;
};

// 3.5 of "3.5.1" and "3.5.0-SNAPSHOT"; 0.0 where it is not known.
SparkRelease release_of(const std::optional<std::string>& spark_version);

}  // namespace stagegate
