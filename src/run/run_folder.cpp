#include "run/run_folder.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "sys/file.h"
#include "sys/write_file.h"

namespace stagegate {
namespace {

constexpr std::string_view kDefaultsFile = "spark-defaults.conf";

bool is_plain_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos && name.find('\0') == std::string::npos;
}

Status link_files(const std::string& from, const std::string& to) {
  // A folder that is not there has no files; Spark takes it the same way.
  for (const auto& name : list_folder(from).value_or(std::vector<std::string>())) {
    if (name == kDefaultsFile) {
      continue;
    }
    std::error_code error;
    std::filesystem::create_symlink(fmt::format("{}/{}", from, name), fmt::format("{}/{}", to, name), error);
    if (error) {
      return fail(ErrorKind::job, fmt::format("cannot link '{}/{}' into '{}': {}", from, name, to, error.message()));
    }
  }
  return {};
}

}  // namespace

Result<std::string> run_folder_path(const std::string& report_dir, const JobVariant& job_variant, int number) {
  for (const auto& name : {job_variant.job, job_variant.variant}) {
    if (!is_plain_name(name)) {
      return fail(ErrorKind::job, fmt::format("'{}' cannot be the name of a folder", name));
    }
  }
  return fmt::format("{}/runs/{}/{}/{}", report_dir, job_variant.job, job_variant.variant, number);
}

Status remove_run_folders(const std::string& report_dir, const JobVariant& job_variant) {
  STAGEGATE_TRY_ASSIGN(first, run_folder_path(report_dir, job_variant));
  const auto folder = first.substr(0, first.rfind('/'));
  for (const auto& name : list_folder(folder).value_or(std::vector<std::string>())) {
    if (name.find_first_not_of("0123456789") == std::string::npos) {
      STAGEGATE_TRY(remove_tree(fmt::format("{}/{}", folder, name)));
    }
  }
  return {};
}

Status make_run_folder(const std::string& run_dir) {
  STAGEGATE_TRY(remove_tree(run_dir));
  return make_folders(run_dir + "/eventlog");
}

Status make_conf_folder(const std::string& run_dir, const PlannedProcess& process) {
  const auto conf_dir = run_dir + "/conf";
  STAGEGATE_TRY(make_folders(conf_dir));
  std::string defaults;
  if (!process.replaced_conf_dir.empty()) {
    const auto usual = absolute_path(process.replaced_conf_dir, process.working_dir);
    STAGEGATE_TRY(link_files(usual, conf_dir));
    const auto usual_defaults = fmt::format("{}/{}", usual, kDefaultsFile);
    if (is_file(usual_defaults)) {
      STAGEGATE_TRY_ASSIGN(text, read_file(usual_defaults, ErrorKind::job));
      // An empty line ends a last line that has no end or ends in a backslash.
      defaults = text + "\n\n";
    }
  }
  return write_file(fmt::format("{}/{}", conf_dir, kDefaultsFile), defaults + process.spark_defaults);
}

Status remove_conf_folder(const std::string& run_dir) {
  return remove_tree(run_dir + "/conf");
}

}  // namespace stagegate
