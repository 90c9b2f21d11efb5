// A job variant -> what is started: arguments, environment, configuration. Pure: the same in, the same out.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/job_variant.h"
#include "run/spark_installation.h"

namespace stagegate {

// The property by which stagegate finds its application again, wherever the log ends up.
inline constexpr const char* kMarkerProperty = "spark.stagegate.run";

struct PlannedProcess {
  std::vector<std::string> argv;                   // argv[0] is absolute or a name on PATH
  std::map<std::string, std::string> environment;  // what is set on top of stagegate's own environment
  std::string working_dir;
  // The properties that reach Spark, stagegate's own (event log, marker) included.
  std::vector<std::pair<std::string, ConfValue>> conf;
  // For `command` jobs: the text of SPARK_CONF_DIR/spark-defaults.conf, which is to be written to run_dir/conf before the start.
  std::string spark_defaults;
};

// RUN_DIR is absolute. {run_dir}, {job}, {variant} and {manifest_dir} are filled in here. An app goes to spark-submit (.py, .jar) or
// spark-sql
// (.sql) with --conf for every property; a command gets them by SPARK_CONF_DIR, PYSPARK_SUBMIT_ARGS and JDK_JAVA_OPTIONS.
// stagegate's own properties come last and win: a plain, unrolled, uncompressed event log in RUN_DIR/eventlog, and the marker.
PlannedProcess plan_process(const JobVariant& job_variant, const SparkInstallation& spark, const std::string& run_dir,
                            const std::string& marker);

// One command line as a person could type it, quoted for a POSIX shell.
std::string shell_line(const std::vector<std::string>& argv);

}  // namespace stagegate
