// The configuration of a variant as a baseline keeps it: as it was asked for, without what differs from machine to machine, without
// secrets.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "model/job_variant.h"

namespace stagegate {

// VALUE without absolute local paths: below MANIFEST_DIR they are "{manifest_dir}/...", of others the last part is kept, as ".../x.jar".
// Paths of file: URLs too; paths of other URLs (hdfs://host/x) name the same thing on every machine and stay.
std::string without_local_paths(std::string_view value, std::string_view manifest_dir);

// Secrets are "(redacted)". Placeholders such as {run_dir} stay as they were written.
std::map<std::string, std::string> kept_conf(const JobVariant& job_variant);

}  // namespace stagegate
