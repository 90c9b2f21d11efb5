#include "run/command_line.h"

#include <string_view>

#include <fmt/format.h>

#include "base/text.h"
#include "run/placeholders.h"
#include "run/quoting.h"

namespace stagegate {
namespace {

constexpr const char* kMaster = "spark.master";
constexpr const char* kWarehouse = "spark.sql.warehouse.dir";
constexpr const char* kOwn = "stagegate";  // the origin of what the manifest does not say
constexpr std::string_view kShellArgument = "pyspark-shell";

using Conf = std::map<std::string, ConfValue>;

PlaceholderValues placeholders_of(const JobVariant& job_variant, const std::string& run_dir) {
  return {{"run_dir", run_dir}, {"job", job_variant.job}, {"variant", job_variant.variant}, {"manifest_dir", job_variant.manifest_dir}};
}

// What planning one run works on.
struct Plan {
  const JobVariant& job_variant;
  const SparkInstallation& spark;
  const std::string& run_dir;
  const Environment& usual;  // without what is planned here
  PlaceholderValues placeholders;
  PlannedProcess process;
};

bool is_sql(const JobVariant& job_variant) {
  return job_variant.app && job_variant.app->ends_with(".sql");
}

// How a log looks that others keep, and where it goes if the manifest does not say, is theirs to decide.
void set_log_place(Conf& conf, const Plan& plan) {
  const auto& place = plan.job_variant.evidence;
  if (place.log_dir) {
    conf["spark.eventLog.dir"] = {place.log_dir_is_here ? file_uri(*place.log_dir) : *place.log_dir, "[evidence] event_log_dir"};
  }
  if (!place.elsewhere()) {
    conf["spark.eventLog.dir"] = {file_uri(plan.run_dir + "/eventlog"), kOwn};
    conf["spark.eventLog.rolling.enabled"] = {"false", kOwn};
    conf["spark.eventLog.compress"] = {"false", kOwn};
  }
}

Conf properties(const Plan& plan, const std::string& marker) {
  const auto own = [](std::string value) { return ConfValue{std::move(value), kOwn}; };
  Conf conf;
  for (const auto& [key, value] : plan.job_variant.conf) {
    conf[key] = {fill_in_names(value.value, plan.placeholders), value.origin};
  }
  if (plan.job_variant.spark.master) {
    conf[kMaster] = {*plan.job_variant.spark.master, "[spark] master"};
  }
  // Its carriage returns would be all there is in a job's error output.
  conf.try_emplace("spark.ui.showConsoleProgress", own("false"));
  if (is_sql(plan.job_variant)) {
    conf.try_emplace(kWarehouse, own(plan.run_dir + "/warehouse"));  // as a URI, Spark would take its escapes for names
  }
  conf["spark.eventLog.enabled"] = own("true");
  set_log_place(conf, plan);
  conf[kMarkerProperty] = own(marker);
  return conf;
}

std::string usual_value(const Plan& plan, const std::string& name) {
  return plan.usual(name).value_or("");
}

void set_python(Plan& plan) {
  if (plan.spark.python.empty()) {
    return;
  }
  // An inherited PYSPARK_DRIVER_PYTHON (jupyter, say) would win over PYSPARK_PYTHON.
  for (const char* name : {"PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON"}) {
    plan.process.environment.try_emplace(name, plan.spark.python);
  }
}

void set_environment(Plan& plan) {
  for (const auto& [name, value] : plan.job_variant.environment) {
    plan.process.environment[name] = fill_in_names(value, plan.placeholders);
  }
  set_python(plan);
  if (!plan.spark.home.empty()) {
    plan.process.environment["SPARK_HOME"] = plan.spark.home;
  }
}

// "--master", M, "--conf", "k=v", ...: as spark-submit takes them.
std::vector<std::string> submit_options(const PlannedProcess& process) {
  std::vector<std::string> master;
  std::vector<std::string> rest;
  for (const auto& [key, value] : process.conf) {
    if (key == kMaster) {
      master = {"--master", value.value};
    } else {
      rest.insert(rest.end(), {"--conf", key + "=" + value.value});
    }
  }
  master.insert(master.end(), rest.begin(), rest.end());
  return master;
}

void append_filled(std::vector<std::string>& argv, const std::vector<std::string>& templates, const PlaceholderValues& placeholders) {
  for (const auto& text : templates) {
    argv.push_back(fill_in_template(text, placeholders));
  }
}

void plan_app(Plan& plan) {
  const auto& job_variant = plan.job_variant;
  auto& argv = plan.process.argv;
  const bool sql = is_sql(job_variant);
  argv.push_back(plan.spark.home + (sql ? "/bin/spark-sql" : "/bin/spark-submit"));
  auto options = submit_options(plan.process);
  if (job_variant.main_class) {
    const std::size_t behind_master = !options.empty() && options.front() == "--master" ? 2 : 0;
    options.insert(options.begin() + static_cast<std::ptrdiff_t>(behind_master), {"--class", *job_variant.main_class});
  }
  argv.insert(argv.end(), options.begin(), options.end());
  if (!sql) {
    argv.push_back(*job_variant.app);
  }
  append_filled(argv, job_variant.args, plan.placeholders);
  if (sql) {
    argv.insert(argv.end(), {"-f", *job_variant.app});
    // The launcher adds these to the driver's own, so that no property of the variant is touched.
    const auto derby = jdk_options_word("-Dderby.system.home=" + plan.run_dir + "/metastore");
    const auto usual = usual_value(plan, "SPARK_SUBMIT_OPTS");
    plan.process.environment["SPARK_SUBMIT_OPTS"] = std::string(trim(usual + " " + derby));
  }
}

// The user's own options with ours behind them: of two equal --conf the last one counts.
std::string pyspark_submit_args(const PlannedProcess& process, std::string_view usual) {
  usual = trim(usual);
  if (usual.ends_with(kShellArgument)) {
    usual = trim(usual.substr(0, usual.size() - kShellArgument.size()));
  }
  std::string text(usual);
  for (const auto& option : submit_options(process)) {
    text += (text.empty() ? "" : " ") + shell_word(option);
  }
  return fmt::format("{} {}", text, kShellArgument);
}

std::string jdk_java_options(const PlannedProcess& process, std::string_view usual) {
  std::string text(trim(usual));
  for (const auto& [key, value] : process.conf) {
    text += (text.empty() ? "" : " ") + jdk_options_word(fmt::format("-D{}={}", key, value.value));
  }
  return text;
}

std::string usual_conf_dir(const Plan& plan) {
  const auto named = usual_value(plan, "SPARK_CONF_DIR");
  return named.empty() && !plan.spark.home.empty() ? plan.spark.home + "/conf" : named;
}

void plan_command(Plan& plan) {
  auto& process = plan.process;
  append_filled(process.argv, plan.job_variant.command, plan.placeholders);
  append_filled(process.argv, plan.job_variant.args, plan.placeholders);
  for (const auto& [key, value] : process.conf) {
    process.spark_defaults += properties_line(key, value.value);
  }
  process.replaced_conf_dir = usual_conf_dir(plan);
  process.environment["PYSPARK_SUBMIT_ARGS"] = pyspark_submit_args(process, usual_value(plan, "PYSPARK_SUBMIT_ARGS"));
  process.environment["JDK_JAVA_OPTIONS"] = jdk_java_options(process, usual_value(plan, "JDK_JAVA_OPTIONS"));
  process.environment["SPARK_CONF_DIR"] = plan.run_dir + "/conf";
  if (!plan.spark.venv_bin.empty()) {
    const auto usual = usual_value(plan, "PATH");
    process.environment["PATH"] = usual.empty() ? plan.spark.venv_bin : plan.spark.venv_bin + ":" + usual;
  }
}

}  // namespace

PlannedProcess plan_process(const JobVariant& job_variant, const SparkInstallation& spark, const std::string& run_dir,
                            const std::string& marker, const Environment& environment) {
  const auto usual = environment_of_job(job_variant, run_dir, environment);
  Plan plan{job_variant, spark, run_dir, usual, placeholders_of(job_variant, run_dir), {}};
  plan.process.working_dir = job_variant.manifest_dir;
  for (auto& [key, value] : properties(plan, marker)) {
    plan.process.conf.emplace_back(key, value);
  }
  set_environment(plan);
  if (job_variant.app) {
    plan_app(plan);
  } else {
    plan_command(plan);
  }
  return std::move(plan.process);
}

Environment environment_of_job(const JobVariant& job_variant, const std::string& run_dir, const Environment& inherited) {
  return [own = job_variant.environment, placeholders = placeholders_of(job_variant, run_dir),
          inherited](const std::string& name) -> std::optional<std::string> {
    const auto entry = own.find(name);
    return entry == own.end() ? inherited(name) : fill_in_names(entry->second, placeholders);
  };
}

std::string shell_line(const std::vector<std::string>& argv) {
  std::string line;
  for (const auto& word : argv) {
    line += (line.empty() ? "" : " ") + shell_word(word);
  }
  return line;
}

}  // namespace stagegate
