// One text as it has to be written for somebody who takes texts apart again: shells, Java, Spark.
#pragma once

#include <string>
#include <string_view>

namespace stagegate {

// A word for a POSIX shell, and for Python's shlex.split, by which PySpark reads PYSPARK_SUBMIT_ARGS.
std::string shell_word(std::string_view text);

// A word of JDK_JAVA_OPTIONS. The launcher knows both kinds of quotes, which may begin and end anywhere, and no escapes
// (`java` man page, "Using the JDK_JAVA_OPTIONS launcher environment variable").
std::string jdk_options_word(std::string_view text);

// A line of a Java properties file (java.util.Properties.load), with its line feed; read as UTF-8, as Spark does.
std::string properties_line(std::string_view key, std::string_view value);

// "file:///a%20b" for an absolute path: what may not stand in the path of a URI is escaped.
std::string file_uri(std::string_view path);

}  // namespace stagegate
