#include <fmt/format.h>

#include "base/text.h"
#include "run/spark_installation.h"
#include "run/spark_version.h"
#include "sys/file.h"
#include "sys/process.h"

namespace stagegate {
namespace {

constexpr std::chrono::seconds kPatience{60};

// Spark's documentation, "Downloading": 4.x runs on Java 17 and later, 3.x on 8, 11 and 17; what lies between these was never supported.
struct JavaNeed {
  std::string_view text;
  bool (*is_met)(int java);
};
constexpr JavaNeed kNeedOfSpark4{"Java 17 or later", [](int java) { return java >= 17; }};
constexpr JavaNeed kNeedOfSpark3{"Java 8, 11 or 17", [](int java) { return java == 8 || java == 11 || java >= 17; }};

JavaNeed need_of(const SparkInstallation& spark) {
  // A Spark that does not say its version may be any; the lesser need refuses nobody wrongly.
  return major_version(spark.version).value_or(3) >= 4 ? kNeedOfSpark4 : kNeedOfSpark3;
}

std::string name_of(const SparkInstallation& spark) {
  return spark.version.empty() ? "Spark" : "Spark " + spark.version;
}

// Spark's own rule (bin/spark-class): JAVA_HOME where it is set, else java on PATH.
Result<std::string> java_program(const SparkInstallation& spark, const SparkSearch& search) {
  const auto need = need_of(spark).text;
  if (const auto home = search.environment("JAVA_HOME"); home && !home->empty()) {
    auto program = *home + "/bin/java";
    if (!is_executable(program)) {
      return fail(ErrorKind::job, fmt::format("JAVA_HOME is {}, but there is no bin/java in it; {} needs {}", *home, name_of(spark), need));
    }
    return program;
  }
  const auto program = find_program("java", search.environment("PATH").value_or(""));
  if (!program) {
    return fail(ErrorKind::job,
                fmt::format("no Java was found: JAVA_HOME is not set and no java is on PATH; {} needs {}", name_of(spark), need));
  }
  return absolute_path(*program, current_folder());
}

}  // namespace

Status check_java(const SparkInstallation& spark, const SparkSearch& search) {
  STAGEGATE_TRY_ASSIGN(program, java_program(spark, search));
  STAGEGATE_TRY_ASSIGN(output, ask_command({program, "-version"}, kPatience));
  const auto version = java_version_in(output.text);
  const auto feature = version ? java_feature_version(*version) : std::nullopt;
  const auto need = need_of(spark);
  if (!feature) {
    return fail(ErrorKind::job,
                fmt::format("'{} -version' does not tell a Java version: {}", program, clean_text(trim(shorten_middle(output.text, 400)))));
  }
  if (!need.is_met(*feature)) {
    return fail(ErrorKind::job,
                fmt::format("{} needs {}, but {} is Java {}; set JAVA_HOME to another one", name_of(spark), need.text, program, *version));
  }
  return {};
}

}  // namespace stagegate
