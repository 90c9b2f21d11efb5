#include "app/project.h"

#include <fmt/format.h>

#include "rules/evaluate.h"
#include "sys/file.h"
#include "sys/machine.h"

namespace stagegate {
namespace {

constexpr const char* kManifestName = "stagegate.toml";

std::string parent_of(const std::string& folder) {
  const auto slash = folder.find_last_of('/');
  return slash == 0 || slash == std::string::npos ? "/" : folder.substr(0, slash);
}

std::string name_of(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

bool is_repository(const std::string& folder) {
  const auto git = absolute_path(".git", folder);
  return is_folder(git) || is_file(git);  // a file in work trees and submodules
}

// "" where PATH lies in no repository.
std::string repository_of(const std::string& path) {
  for (auto folder = parent_of(path); folder != "/"; folder = parent_of(folder)) {
    if (is_repository(folder)) {
      return folder;
    }
  }
  return {};
}

Result<std::string> find_manifest(const CommonOptions& options) {
  const auto here = current_folder();
  if (options.manifest) {
    auto path = absolute_path(*options.manifest, here);
    if (is_folder(path)) {
      return fail(ErrorKind::usage, fmt::format("{}: a folder, where a manifest file was asked for; try {}/{}", *options.manifest,
                                                *options.manifest, kManifestName));
    }
    if (!is_file(path)) {
      return fail(ErrorKind::usage, fmt::format("{}: there is no such manifest", *options.manifest));
    }
    return path;
  }
  for (auto folder = here;; folder = parent_of(folder)) {
    auto path = absolute_path(kManifestName, folder);
    if (is_file(path)) {
      return path;
    }
    if (folder == "/" || is_repository(folder)) {
      return fail(ErrorKind::usage, fmt::format("no {} in {} or above it, up to {}; write one, or name it with --manifest FILE",
                                                kManifestName, here, folder));
    }
  }
}

Result<std::vector<RuleFile>> read_rule_files(const std::string& folder) {
  STAGEGATE_TRY_ASSIGN(names, list_folder(folder));
  std::vector<RuleFile> files;
  for (const auto& name : names) {
    if (name.ends_with(".toml")) {
      const auto path = absolute_path(name, folder);
      STAGEGATE_TRY_ASSIGN(text, read_file(path, ErrorKind::usage));
      files.push_back({display_path(path, current_folder()), std::move(text)});
    }
  }
  return files;
}

Result<std::vector<Rule>> load_rules_for(const Manifest& manifest) {
  std::vector<RuleFile> files;
  if (manifest.rules_dir) {
    if (!is_folder(*manifest.rules_dir)) {
      return fail(ErrorKind::usage,
                  fmt::format("{}: rules_dir: there is no folder {}", manifest.file, display_path(*manifest.rules_dir, current_folder())));
    }
    STAGEGATE_TRY_ASSIGN(users, read_rule_files(*manifest.rules_dir));
    files = std::move(users);
  }
  return load_rules(files);
}

Result<Manifest> read_manifest(const std::string& path) {
  STAGEGATE_TRY_ASSIGN(text, read_file(path, ErrorKind::usage));
  return parse_manifest(text, {.file = display_path(path, current_folder()), .dir = parent_of(path), .environment = environment_variable});
}

}  // namespace

Result<Project> load_project(const CommonOptions& options) {
  Project project;
  STAGEGATE_TRY_ASSIGN(path, find_manifest(options));
  STAGEGATE_TRY_ASSIGN(manifest, read_manifest(path));
  STAGEGATE_TRY_ASSIGN(rules, load_rules_for(manifest));
  STAGEGATE_TRY(check_settings(rules, manifest.rules));
  project.report_dir = options.report_dir ? absolute_path(*options.report_dir, current_folder()) : manifest.report_dir;
  const auto repository = repository_of(path);
  project.manifest_in_repository = repository.empty() ? manifest.file : display_path(path, repository);
  project.manifest_path = std::move(path);
  project.manifest = std::move(manifest);
  project.rules = std::move(rules);
  return project;
}

Result<std::vector<Rule>> load_rules_of(const CommonOptions& options) {
  const auto path = find_manifest(options);
  if (!path) {
    return options.manifest ? Result<std::vector<Rule>>(fail(ErrorKind::usage, path.error().message)) : load_rules({});
  }
  STAGEGATE_TRY_ASSIGN(manifest, read_manifest(*path));
  return load_rules_for(manifest);
}

std::string early_report_dir(const CommonOptions& options) {
  if (options.report_dir) {
    return absolute_path(*options.report_dir, current_folder());
  }
  const auto manifest = find_manifest(options);
  return manifest ? absolute_path("stagegate-out", parent_of(*manifest)) : std::string();
}

std::string baseline_path(const Manifest& manifest, const std::string& job, const std::string& variant) {
  return fmt::format("{}/{}/{}.json", manifest.baseline_dir, job, variant);
}

std::string pending_path(const Project& project, const std::string& job, const std::string& variant) {
  const auto& folder = project.manifest.baseline_dir;
  const auto shown = display_path(folder, project.manifest.dir);
  const auto inside = shown.starts_with('/') || shown.starts_with("..") ? name_of(folder) : shown;
  return fmt::format("{}/pending/{}/{}/{}.json", project.report_dir, inside, job, variant);
}

}  // namespace stagegate
