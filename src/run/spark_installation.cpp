#include "run/spark_installation.h"

#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "base/text.h"
#include "run/spark_version.h"
#include "sys/file.h"
#include "sys/process.h"

namespace stagegate {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kPatience{60};
constexpr std::string_view kAnswer = "stagegate-pyspark:";
// Finds the package without importing it, which takes a second, and not in the working folder, where `python -c` would look first.
constexpr const char* kQuestion =
    "import sys; sys.path = [p for p in sys.path if p]; import importlib.util as u; s = u.find_spec('pyspark'); "
    "print('stagegate-pyspark:' + (list(s.submodule_search_locations or [''])[0] if s else ''))";

std::string folder_of(const std::string& path) {
  return fs::path(path).parent_path().string();
}

std::string venv_bin_of(const std::string& python) {
  const auto bin = folder_of(python);
  return is_file(folder_of(bin) + "/pyvenv.cfg") ? bin : "";
}

std::optional<std::string> answer_in(const std::string& output) {
  for (const auto& line : split(output, '\n')) {
    if (line.starts_with(kAnswer)) {
      return std::string(trim(std::string_view(line).substr(kAnswer.size())));
    }
  }
  return std::nullopt;
}

std::string last_line(const std::string& output) {
  const auto text = trim(output);
  return clean_text(text.substr(text.find_last_of('\n') + 1));
}

Result<std::string> absolute_python(const std::string& python, const SparkSearch& search) {
  const auto path = search.environment("PATH").value_or("");
  const auto program = find_program(python, path);
  if (!program) {
    const bool is_name = python.find('/') == std::string::npos;
    return fail(ErrorKind::job, fmt::format("{}{}", python, is_name ? " is not on PATH" : " does not exist or is not executable"));
  }
  return absolute_path(*program, current_folder());
}

Result<std::string> pyspark_folder(const std::string& python) {
  STAGEGATE_TRY_ASSIGN(output, ask_command({python, "-c", kQuestion}, kPatience));
  const auto answer = answer_in(output.text);
  if (!answer) {
    return fail(ErrorKind::job, fmt::format("{} does not work: {}", python, last_line(output.text)));
  }
  if (answer->empty()) {
    return fail(ErrorKind::job, fmt::format("{0} has no pyspark package ('{0} -m pip install pyspark' installs it)", python));
  }
  return *answer;
}

// Why FOLDER holds no Spark that could be started, or "".
std::string what_is_missing(const std::string& folder) {
  if (!is_folder(folder)) {
    return fmt::format("the folder {} does not exist", folder);
  }
  if (!is_file(folder + "/bin/spark-submit")) {
    return fmt::format("{} holds no bin/spark-submit", folder);
  }
  return is_executable(folder + "/bin/spark-submit") ? "" : fmt::format("{}/bin/spark-submit is not executable", folder);
}

Result<SparkInstallation> at_home(const std::string& home, std::string found_by) {
  if (const auto problem = what_is_missing(home); !problem.empty()) {
    return fail(ErrorKind::job, problem);
  }
  return SparkInstallation{home, "", "", spark_version_in(home), std::move(found_by)};
}

Result<SparkInstallation> of_python(const std::string& python, std::string found_by) {
  STAGEGATE_TRY_ASSIGN(home, pyspark_folder(python));
  auto spark = at_home(home, std::move(found_by));
  if (!spark) {
    return fail(ErrorKind::job,
                fmt::format("the pyspark package of {} is no whole Spark (pyspark-client? an installation that was cut short?): {}", python,
                            spark.error().message));
  }
  spark->python = python;
  spark->venv_bin = venv_bin_of(python);
  return spark;
}

// A place that was named must hold a Spark: says which place it was.
Result<SparkInstallation> must_be(Result<SparkInstallation> spark, const std::string& place, const std::string& way_out) {
  if (spark) {
    return spark;
  }
  return fail(ErrorKind::job, fmt::format("{} names a Spark that is not there or broken: {}; {}", place, spark.error().message, way_out));
}

Result<SparkInstallation> named_home(const std::string& home, const std::string& place, const SparkChoice& choice,
                                     const SparkSearch& search) {
  auto spark = must_be(at_home(absolute_path(home, search.manifest_dir), place), place,
                       "it has to be the folder in which bin/spark-submit and jars/ are");
  if (spark && choice.python) {
    auto python = absolute_python(*choice.python, search);
    if (!python) {
      return fail(ErrorKind::job, fmt::format("the manifest's python: {}", python.error().message));
    }
    spark->python = *python;
    spark->venv_bin = venv_bin_of(*python);
  }
  return spark;
}

Result<SparkInstallation> named_python(const std::string& name, const SparkSearch& search) {
  const auto place = fmt::format("python {} of the manifest", display_path(name, search.manifest_dir));
  const auto way_out = "make the environment, or name another one with python or home in [spark]";
  auto python = absolute_python(name, search);
  if (!python) {
    return must_be(fail(std::move(python)), place, way_out);
  }
  return must_be(of_python(*python, place), place, way_out);
}

// The environment that a script such as venv/bin/spark-submit belongs to; a system-wide `pip install pyspark` looks the same.
std::string python_beside(const std::string& bin, const std::string& path) {
  for (const char* name : {"/python3", "/python"}) {
    if (is_executable(bin + name)) {
      return bin + name;
    }
  }
  return find_program("python3", path).value_or("");
}

Result<SparkInstallation> on_path(const std::string& path) {
  const auto program = find_program("spark-submit", path);
  if (!program) {
    return fail(ErrorKind::job, "no spark-submit is on PATH");
  }
  const auto script = absolute_path(*program, current_folder());
  const auto found_by = fmt::format("{} on PATH", script);
  std::error_code error;
  const auto real = fs::canonical(script, error).string();
  const auto home = folder_of(folder_of(error ? script : real));
  if (is_folder(home + "/jars")) {
    return at_home(home, found_by);
  }
  const auto bin = folder_of(script);
  if (is_file(bin + "/find_spark_home.py")) {
    const auto python = python_beside(bin, path);
    return python.empty() ? fail(ErrorKind::job, fmt::format("{} belongs to a Python that is not beside it", script))
                          : of_python(python, found_by);
  }
  return fail(ErrorKind::job, fmt::format("{} is on PATH, but is a wrapper that does not say where Spark is", script));
}

}  // namespace

bool names_a_spark(const SparkChoice& choice, const SparkSearch& search) {
  return choice.home || choice.python || !search.environment("SPARK_HOME").value_or("").empty();
}

Result<SparkInstallation> find_spark(const SparkChoice& choice, const SparkSearch& search) {
  if (choice.home) {
    return named_home(*choice.home, "[spark] home", choice, search);
  }
  if (choice.python && choice.python_is_own) {
    return named_python(*choice.python, search);
  }
  if (const auto home = search.environment("SPARK_HOME"); home && !home->empty()) {
    return named_home(absolute_path(*home, current_folder()), "$SPARK_HOME", choice, search);
  }
  if (choice.python) {
    return named_python(*choice.python, search);
  }
  std::string why_not = "[spark] of the manifest names none; $SPARK_HOME is not set; ";
  const auto venv_python = search.manifest_dir + "/.venv/bin/python";
  if (is_executable(venv_python)) {
    auto spark = of_python(venv_python, ".venv beside the manifest");
    if (spark) {
      return spark;
    }
    why_not += spark.error().message;
  } else {
    why_not += fmt::format("there is no .venv/bin/python in {}", search.manifest_dir);
  }
  auto spark = on_path(search.environment("PATH").value_or(""));
  if (spark) {
    return spark;
  }
  return fail(
      ErrorKind::job,
      fmt::format("no Spark was found: {}; {}. Ways out: python = \"...\" or home = \"...\" in [spark] of the manifest, SPARK_HOME, or "
                  "'python3 -m venv .venv && .venv/bin/pip install pyspark' beside the manifest",
                  why_not, spark.error().message));
}

}  // namespace stagegate
