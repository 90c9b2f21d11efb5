#include "run/spark_finder.h"

namespace stagegate {
namespace {

// All that the answer depends on.
std::string key_of(const JobVariant& job_variant, const Environment& environment) {
  std::string key = job_variant.app ? "app" : "command";
  key += job_variant.spark.python_is_own ? ", own python" : "";
  key += '\0' + job_variant.manifest_dir + '\0' + job_variant.spark.home.value_or("") + '\0' + job_variant.spark.python.value_or("");
  for (const char* name : {"SPARK_HOME", "JAVA_HOME", "PATH"}) {
    key += '\0' + environment(name).value_or("");
  }
  return key;
}

Result<SparkInstallation> look(const JobVariant& job_variant, const SparkSearch& search) {
  auto spark = find_spark(job_variant.spark, search);
  if (!job_variant.app) {
    return spark || names_a_spark(job_variant.spark, search) ? spark : SparkInstallation{};
  }
  if (spark) {
    STAGEGATE_TRY(check_java(*spark, search));
  }
  return spark;
}

}  // namespace

Result<SparkInstallation> SparkFinder::find(const JobVariant& job_variant, const Environment& environment) {
  const auto key = key_of(job_variant, environment);
  const auto known = known_.find(key);
  if (known != known_.end()) {
    return known->second;
  }
  return known_.emplace(key, look(job_variant, {environment, job_variant.manifest_dir})).first->second;
}

}  // namespace stagegate
