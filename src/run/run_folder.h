// The folder of one run: <report_dir>/runs/<job>/<variant>/<number of the run>, with eventlog/, stdout.txt, stderr.txt and run.json.
#pragma once

#include <string>

#include "base/result.h"
#include "model/job_variant.h"
#include "run/command_line.h"

namespace stagegate {

// Kind job: a name that is no plain folder name, so that nothing is ever made or removed elsewhere.
Result<std::string> run_folder_path(const std::string& report_dir, const JobVariant& job_variant, int number = 1);

// Removes the folders of all runs of a variant, also of those that it has no more.
Status remove_run_folders(const std::string& report_dir, const JobVariant& job_variant);

// Removes what an earlier run left there and makes it anew, with an empty eventlog/.
Status make_run_folder(const std::string& run_dir);

// For commands: RUN_DIR/conf, which stands in for the user's own configuration folder: links to its files (log4j2.properties,
// hive-site.xml, spark-env.sh), and a spark-defaults.conf of theirs and ours, of which the later, ours, counts.
Status make_conf_folder(const std::string& run_dir, const PlannedProcess& process);

// The report folder is uploaded by CI, and people's configuration holds passwords: it goes when the run has ended.
Status remove_conf_folder(const std::string& run_dir);

}  // namespace stagegate
