#include "ingest/spark_release.h"

#include <charconv>

namespace stagegate {

SparkRelease release_of(const std::optional<std::string>& spark_version) {
  SparkRelease release;
  if (!spark_version) {
    return release;
  }
  const auto* end = spark_version->data() + spark_version->size();
  const auto after_major = std::from_chars(spark_version->data(), end, release.first);
  if (after_major.ptr != end) {
    std::from_chars(after_major.ptr + 1, end, release.second);
  }
  return release;
}

}  // namespace stagegate
