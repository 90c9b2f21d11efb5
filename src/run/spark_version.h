// Version numbers as installations tell them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stagegate {

// "4.3.0", from RELEASE ("Spark 3.5.1 (git revision ...) built for Hadoop 3.3.4"), pyspark/version.py or jars/spark-core_2.13-4.3.0.jar;
// "" where none says.
std::string spark_version_in(const std::string& home);

// The number before the first dot: 4 of "4.3.0".
std::optional<int> major_version(std::string_view version);

// What `java -version` says: "1.8.0_392", "17.0.15", "21", "22-ea".
std::optional<std::string> java_version_in(std::string_view output);

// 8 of "1.8.0_392", 17 of "17.0.15".
std::optional<int> java_feature_version(std::string_view version);

}  // namespace stagegate
