// Which Spark runs a job, and why (design 10).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/job_variant.h"

namespace stagegate {

// Looks up a variable; tests give their own.
using Environment = std::function<std::optional<std::string>(const std::string&)>;

struct SparkInstallation {
  std::string home;      // absolute: holds bin/spark-submit; SPARK_HOME of the job
  std::string python;    // PYSPARK_PYTHON of the job, absolute; "" where the job's own environment decides
  std::string venv_bin;  // the folder of `python` where it is one of a virtual environment, else ""
  std::string version;   // "4.3.0", from the RELEASE file, the pyspark package or the spark-core jar's name; "" where none says
  std::string found_by;  // "[spark] home", "$SPARK_HOME", "python .venv/bin/python of the manifest", ...
};

// What finding a Spark asks of the machine.
struct SparkSearch {
  Environment environment;
  std::string manifest_dir;
};

// In this order: home, the job's or variant's own python (its pyspark package), $SPARK_HOME, the python of [spark], .venv beside the
// manifest, spark-submit on PATH. A place that was named and does not hold a Spark is an error, not a reason to look further. The error
// (ErrorKind::job) says where was looked, why each place would not do, and what to do.
//
// A virtual environment's own spark-submit works only with its Python first on PATH, so the home is always the pyspark package itself.
Result<SparkInstallation> find_spark(const SparkChoice& choice, const SparkSearch& search);

// Whether a place was named for this choice, so that a Spark must be there: home, python or $SPARK_HOME.
bool names_a_spark(const SparkChoice& choice, const SparkSearch& search);

// Whether there is a Java that this Spark starts with: JAVA_HOME or java on PATH, at least 17 for Spark 4, 8, 11 or 17+ for 3.
// The error (ErrorKind::job) names the Java that was found and the ones that would do.
Status check_java(const SparkInstallation& spark, const SparkSearch& search);

}  // namespace stagegate
