// Folders and scripts that look like a Spark, a Python with PySpark and a Java.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "run/spark_installation.h"
#include "support/temporary_folder.h"

namespace stagegate::test {

using Variables = std::map<std::string, std::string>;

inline Environment environment_of(const Variables& variables) {
  return [variables](const std::string& name) -> std::optional<std::string> {
    const auto variable = variables.find(name);
    return variable == variables.end() ? std::nullopt : std::optional(variable->second);
  };
}

// NAME/bin/spark-submit and spark-sql, which do BODY; returns the home.
inline std::string make_spark(const TemporaryFolder& folder, const std::string& name, std::string_view body = "exit 0",
                              const std::string& version = "4.3.0") {
  folder.write_script(name + "/bin/spark-submit", body);
  folder.write_script(name + "/bin/spark-sql", body);
  folder.write(name + "/RELEASE", "Spark " + version + " (git revision 0) built for Hadoop 3\n");
  return folder.at(name);
}

// NAME/bin/python of a virtual environment whose pyspark package is PACKAGE ("": none).
inline std::string make_venv(const TemporaryFolder& folder, const std::string& name, const std::string& package) {
  folder.write(name + "/pyvenv.cfg", "home = /usr/bin\n");
  return folder.write_script(name + "/bin/python", "echo 'a warning' >&2\necho 'stagegate-pyspark:" + package + "'");
}

// NAME/bin/java; returns the JAVA_HOME.
inline std::string make_java(const TemporaryFolder& folder, const std::string& name, const std::string& version) {
  folder.write_script(name + "/bin/java", "echo 'openjdk version \"" + version + "\" 2025-04-15' >&2");
  return folder.at(name);
}

}  // namespace stagegate::test
