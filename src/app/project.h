// What a command works on: the manifest, found and read, with the rules that hold in it.
#pragma once

#include <string>
#include <vector>

#include "app/options.h"
#include "base/result.h"
#include "manifest/manifest.h"
#include "model/job_variant.h"
#include "rules/rule.h"

namespace stagegate {

struct Project {
  Manifest manifest;
  std::string manifest_path;           // absolute
  std::string manifest_in_repository;  // as CI systems want it: relative to the folder that holds .git, where there is one
  std::string report_dir;              // absolute; --report-dir or the manifest's
  std::vector<Rule> rules;
};

// The manifest is --manifest FILE or stagegate.toml in this folder or one above, up to the root of the repository (the folder that holds
// .git). Rules are the built-in ones and those of rules_dir, their own tests run and the manifest's settings held against them. Kind:
// usage.
Result<Project> load_project(const CommonOptions& options);

// Built-in rules and, where there is a manifest, the user's: for `explain`, which is also of use outside a project.
Result<std::vector<Rule>> load_rules_of(const CommonOptions& options);

// Where reports go when the manifest itself cannot be used: --report-dir, else stagegate-out beside the manifest that was found; "" where
// none was.
std::string early_report_dir(const CommonOptions& options);

// <baseline dir>/<job>/<variant>.json, absolute.
std::string baseline_path(const Manifest& manifest, const std::string& job, const std::string& variant);

// <report dir>/pending/<baseline dir as seen from the manifest>/<job>/<variant>.json: what `baseline accept` takes. The folders are laid
// out as in the repository, so that a CI artifact can be copied over it.
std::string pending_path(const Project& project, const std::string& job, const std::string& variant);

}  // namespace stagegate
