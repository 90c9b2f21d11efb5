#include <fmt/format.h>

#include "app/commands.h"
#include "app/console.h"
#include "app/project.h"
#include "base/secret.h"
#include "base/units.h"
#include "run/command_line.h"
#include "sys/file.h"

namespace stagegate {
namespace {

std::string what_runs(const JobVariant& job_variant) {
  auto words = job_variant.command;
  if (job_variant.app) {
    words.push_back(display_path(*job_variant.app, job_variant.manifest_dir));
  }
  words.insert(words.end(), job_variant.args.begin(), job_variant.args.end());
  return shell_line(words);
}

std::string render(const JobVariant& job_variant) {
  auto text = fmt::format("{}/{}  {}\n", job_variant.job, job_variant.variant, what_runs(job_variant));
  if (!job_variant.owner.empty()) {
    text += fmt::format("  owner: {}\n", job_variant.owner);
  }
  if (job_variant.spark.master) {
    text += fmt::format("  master: {}\n", *job_variant.spark.master);
  }
  if (job_variant.timeout.count() > 0) {
    text += fmt::format("  time-out: {}\n", format_duration(job_variant.timeout));
  }
  if (job_variant.runs > 1) {
    text += fmt::format("  {} runs\n", job_variant.runs);
  }
  for (const auto& [key, value] : job_variant.conf) {
    text += fmt::format("  {} = {}  ({})\n", key, is_secret_name(key) ? kRedacted : value.value, value.origin);
  }
  return text;
}

}  // namespace

int list_command(const ListOptions& options) {
  const auto project = load_project(options.common);
  if (!project) {
    return report_error(project.error());
  }
  const auto job_variants = resolve(project->manifest, {.jobs = options.jobs, .variants = options.variants, .conf = {}});
  if (!job_variants) {
    return report_error(job_variants.error());
  }
  for (const auto& job_variant : *job_variants) {
    print_result(render(job_variant));
  }
  return 0;
}

}  // namespace stagegate
