#include "app/show_plans.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/console.h"
#include "base/units.h"
#include "run/command_line.h"
#include "run/redaction.h"
#include "run/spark_finder.h"
#include "run/spark_installation.h"
#include "sys/file.h"
#include "sys/machine.h"

namespace stagegate {
namespace {

std::string describe(const SparkInstallation& spark) {
  if (spark.home.empty()) {
    return "Spark: none was found; the command brings its own";
  }
  return fmt::format("Spark {} in {} ({})", spark.version.empty() ? "of unknown version" : spark.version, spark.home, spark.found_by);
}

std::string render_plan(const JobVariant& job_variant, const SparkInstallation& spark, const PlannedProcess& plan) {
  const Redaction redaction(plan);
  auto text = fmt::format("{}/{}\n  {}\n  in {}\n", job_variant.job, job_variant.variant, describe(spark), plan.working_dir);
  text += fmt::format("  {}\n", redaction.text(shell_line(plan.argv)));
  text += fmt::format("  time-out: {}\n", job_variant.timeout.count() == 0 ? "none" : format_duration(job_variant.timeout));
  if (job_variant.runs > 1) {
    text += fmt::format("  {} runs; this is the first\n", job_variant.runs);
  }
  text += "  environment\n";
  for (const auto& [name, value] : plan.environment) {
    text += fmt::format("    {}={}\n", name, redaction.value(name, value));
  }
  text += "  configuration\n";
  for (const auto& [key, value] : plan.conf) {
    text += fmt::format("    {} = {}  ({})\n", key, redaction.value(key, value.value), value.origin);
  }
  return text;
}

}  // namespace

int show_plans(const Project& project, const std::vector<JobVariant>& job_variants) {
  int code = 0;
  SparkFinder finder;
  for (const auto& job_variant : job_variants) {
    const auto run_dir = fmt::format("{}/runs/{}/{}/1", project.report_dir, job_variant.job, job_variant.variant);
    const auto spark = finder.find(job_variant, environment_of_job(job_variant, run_dir, environment_variable));
    if (!spark) {
      print_message(fmt::format("{}/{}: {}", job_variant.job, job_variant.variant, spark.error().message));
      code = std::max(code, static_cast<int>(exit_code_of(spark.error().kind)));
      continue;
    }
    const auto plan = plan_process(job_variant, *spark, run_dir, "<unique for each run>", environment_variable);
    print_result(render_plan(job_variant, *spark, plan) + "\n");
  }
  return code;
}

}  // namespace stagegate
