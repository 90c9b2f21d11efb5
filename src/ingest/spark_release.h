// Which release of Spark an application ran on, as far as its metrics depend on it.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace stagegate {

// Major and minor number.
using SparkRelease = std::pair<int, int>;

// 3.5 of "3.5.1" and "3.5.0-SNAPSHOT"; 0.0 where it is not known.
SparkRelease release_of(const std::optional<std::string>& spark_version);

}  // namespace stagegate
