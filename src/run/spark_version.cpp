#include "run/spark_version.h"

#include <charconv>

#include "base/text.h"
#include "sys/file.h"

namespace stagegate {
namespace {

std::string text_of(const std::string& path) {
  return is_file(path) ? read_file(path, ErrorKind::job).value_or("") : "";
}

std::string from_release(const std::string& home) {
  const auto words = split(text_of(home + "/RELEASE"), ' ');
  return words.size() > 1 && words[0] == "Spark" ? std::string(trim(words[1])) : "";
}

// __version__: str = '4.3.0'
std::string from_version_py(const std::string& file) {
  const auto text = text_of(file);
  const auto name = text.find("__version__");
  const auto open = name == std::string::npos ? name : text.find_first_of("'\"", name);
  if (open == std::string::npos) {
    return "";
  }
  const auto close = text.find(text[open], open + 1);
  return close == std::string::npos ? "" : text.substr(open + 1, close - open - 1);
}

std::string from_core_jar(const std::string& home) {
  constexpr std::string_view kBegin = "spark-core_";
  constexpr std::string_view kEnd = ".jar";
  for (const auto& name : list_folder(home + "/jars").value_or(std::vector<std::string>())) {
    const auto dash = name.find('-', kBegin.size());
    if (name.starts_with(kBegin) && name.ends_with(kEnd) && dash != std::string::npos) {
      return name.substr(dash + 1, name.size() - kEnd.size() - dash - 1);
    }
  }
  return "";
}

}  // namespace

std::string spark_version_in(const std::string& home) {
  for (const auto& version :
       {from_release(home), from_version_py(home + "/version.py"), from_version_py(home + "/python/pyspark/version.py")}) {
    if (!version.empty()) {
      return version;
    }
  }
  return from_core_jar(home);
}

std::optional<int> major_version(std::string_view version) {
  int number = 0;
  const auto end = std::from_chars(version.data(), version.data() + version.size(), number);
  return end.ec == std::errc() ? std::optional(number) : std::nullopt;
}

std::optional<std::string> java_version_in(std::string_view output) {
  // Notes about JAVA_TOOL_OPTIONS and the like come first.
  constexpr std::string_view kBefore = " version \"";
  const auto begin = output.find(kBefore);
  if (begin == std::string_view::npos) {
    return std::nullopt;
  }
  const auto version = output.substr(begin + kBefore.size());
  return std::string(version.substr(0, version.find('"')));
}

std::optional<int> java_feature_version(std::string_view version) {
  constexpr std::string_view kOldScheme = "1.";
  return major_version(version.starts_with(kOldScheme) ? version.substr(kOldScheme.size()) : version);
}

}  // namespace stagegate
