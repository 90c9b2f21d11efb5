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

// Where a run's event log ends up, where that is not the run's own folder: a cluster's shared folder, a history server. The run is found
// again by a property that only it has.
struct EvidencePlace {
  std::optional<std::string> log_dir;         // spark.eventLog.dir: a folder, absolute, or an address of Spark's ("hdfs:///spark-history")
  bool log_dir_is_here = false;               // a folder of this machine, which is looked through
  std::optional<std::string> history_server;  // its address; asked where log_dir is not here
  std::chrono::milliseconds wait{120'000};    // for the log to be there and whole, after the run
  std::optional<std::string> user;            // for the history server, as the options of `report` have them
  std::optional<std::string> token_variable;
  std::optional<std::string> ca_file;

  bool elsewhere() const { return log_dir || history_server; }
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
  EvidencePlace evidence;
  std::map<std::string, ConfValue> conf;
  std::map<std::string, std::string> environment;
  std::chrono::milliseconds timeout{0};  // 0: none
  int runs = 1;                          // how often it runs, each time in a fresh process
  std::string manifest_dir;              // absolute; the working directory of the job
};

}  // namespace stagegate
