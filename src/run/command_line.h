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
  // The properties that reach Spark, by key: the master and stagegate's own (event log, marker; their origin is "stagegate") included.
  std::vector<std::pair<std::string, ConfValue>> conf;
  // For `command` jobs: the text of SPARK_CONF_DIR/spark-defaults.conf, which is to be written to run_dir/conf before the start,
  std::string spark_defaults;
  // and the configuration folder that this one stands in for: its other files and its defaults still count. "": there is none.
  std::string replaced_conf_dir;
};

// RUN_DIR is absolute. {run_dir}, {job}, {variant} and {manifest_dir} are filled in here.
//
// An app goes to spark-submit (.py, .jar) or spark-sql (.sql) with --conf for every property. spark-sql would share one Derby metastore
// and one warehouse in the working folder among all runs, of which only one may have it open: each run gets its own, unless the
// variant says where they are.
//
// A command gets the properties in three ways, because it may start Spark in any: SPARK_CONF_DIR (spark-submit, PySpark),
// PYSPARK_SUBMIT_ARGS (`python job.py`) and JDK_JAVA_OPTIONS (a JVM of its own). What the user has in them is kept. The `bin` of the
// virtual environment whose PySpark was found comes first on its PATH, so that "python" is the Python that goes with this Spark.
//
// stagegate's own properties win: a plain, unrolled, uncompressed event log in RUN_DIR/eventlog (or where [evidence] says), and the marker.
// ENVIRONMENT is stagegate's own, which the job inherits.
PlannedProcess plan_process(const JobVariant& job_variant, const SparkInstallation& spark, const std::string& run_dir,
                            const std::string& marker, const Environment& environment);

// The environment as the job sees it, before plan_process adds to it: the manifest's variables on top of the inherited ones.
Environment environment_of_job(const JobVariant& job_variant, const std::string& run_dir, const Environment& inherited);

// One command line as a person could type it, quoted for a POSIX shell.
std::string shell_line(const std::vector<std::string>& argv);

}  // namespace stagegate
