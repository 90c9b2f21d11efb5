// One job under one named configuration, resolved: all that is needed to run it and to judge it.
// The manifest makes these, run/ starts them, the reports speak of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stagegate {

// A place in the manifest, for messages and for the `file`/`line` of a JUnit case. Lines and columns count from 1.
struct Position {
  std::string file;  // as it is shown: relative to the working directory where it lies below it
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

// "stagegate.toml:14:3"
std::string to_string(const Position& position);

// Which Spark runs a job (design 10). Empty: it is looked for.
struct SparkChoice {
  std::optional<std::string> home;    // a Spark folder, absolute
  std::optional<std::string> python;  // a Python whose pyspark package is used, absolute or a name on PATH
  std::optional<std::string> master;  // "local[4]", "spark://host:7077"; absent: Spark's own default
  // The python was set for this job or variant, not in [spark] for all: then it wins over $SPARK_HOME, or a variant that asks for another
  // Spark would silently get the environment's.
  bool python_is_own = false;
};

// A configuration value with where it was set, for `list` and `--dry-run`.
struct ConfValue {
  std::string value;
  std::string origin;  // "[defaults]", "[jobs.revenue]", "[variants.adaptive]", "[jobs.revenue.variant.adaptive]", "--conf"
};

struct JobVariant {
  std::string job;
  std::string variant;
  Position job_at;
  Position variant_at;  // where there are no variants: job_at, and `variant` is "default"
  // Exactly one of app and command. Paths are absolute; args and command may hold {run_dir}, {job}, {variant}, {manifest_dir},
  // which run/ fills in.
  std::optional<std::string> app;
  std::vector<std::string> command;
  std::vector<std::string> args;
  std::optional<std::string> main_class;  // of a .jar
  std::string owner;
  SparkChoice spark;
  std::map<std::string, ConfValue> conf;
  std::map<std::string, std::string> environment;
  std::chrono::milliseconds timeout{0};  // 0: none
  std::string manifest_dir;              // absolute; the working directory of the job
};

}  // namespace stagegate
