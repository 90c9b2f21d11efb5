// find_spark and check_java for many job variants, each question asked once: an answer takes a Python or a Java to start.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "model/job_variant.h"
#include "run/spark_installation.h"

namespace stagegate {

class SparkFinder {
 public:
  // ENVIRONMENT is the one that the job sees. For an app there must be a Spark and a Java that it starts with. A command may bring its
  // own (sbt, a Docker image): where no place was named and nothing is found, the installation is empty.
  Result<SparkInstallation> find(const JobVariant& job_variant, const Environment& environment);

 private:
  std::map<std::string, Result<SparkInstallation>> known_;
};

}  // namespace stagegate
