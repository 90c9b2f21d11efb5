#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "manifest/manifest.h"

namespace stagegate {
namespace {

using Names = std::vector<std::string>;

bool fits_any(const Names& globs, const std::string& name) {
  return globs.empty() || std::any_of(globs.begin(), globs.end(), [&](const auto& glob) { return matches_glob(glob, name); });
}

Names variants_of(const Manifest& manifest, const JobTable& job) {
  if (job.variants) {
    return *job.variants;
  }
  Names names;
  for (const auto& variant : manifest.variants) {
    names.push_back(variant.name);
  }
  return names.empty() ? Names{std::string(kOnlyVariant)} : names;
}

// WHAT is as in "no job of stagegate.toml".
std::string fits_nothing(std::string_view what, const std::string& glob, const Names& names) {
  const auto hint = did_you_mean(glob, names);
  return fmt::format("no {} fits '{}'{}{}: {}", what, glob, hint, hint.empty() ? "; there are" : " There are", join(names, ", "));
}

Status check_globs(std::string_view what, const Names& globs, const Names& names) {
  Names findings;
  for (const auto& glob : globs) {
    if (std::none_of(names.begin(), names.end(), [&](const auto& name) { return matches_glob(glob, name); })) {
      findings.push_back(fits_nothing(what, glob, names));
    }
  }
  return findings.empty() ? Status() : fail(ErrorKind::usage, join(findings, "\n"));
}

Result<std::vector<const JobTable*>> select_jobs(const Manifest& manifest, const Names& globs) {
  if (manifest.jobs.empty()) {
    return fail(ErrorKind::nothing, fmt::format("{} has no job; add a [jobs.NAME] table", manifest.file));
  }
  Names names;
  std::vector<const JobTable*> selected;
  for (const auto& job : manifest.jobs) {
    names.push_back(job.name);
    if (fits_any(globs, job.name)) {
      selected.push_back(&job);
    }
  }
  STAGEGATE_TRY(check_globs(fmt::format("job of {}", manifest.file), globs, names));
  return selected;
}

// Every variant of the jobs once.
Names variants_of(const Manifest& manifest, const std::vector<const JobTable*>& jobs) {
  Names all;
  for (const auto* job : jobs) {
    for (auto& name : variants_of(manifest, *job)) {
      if (std::find(all.begin(), all.end(), name) == all.end()) {
        all.push_back(std::move(name));
      }
    }
  }
  return all;
}

Names job_names(const std::vector<const JobTable*>& jobs) {
  Names names;
  for (const auto* job : jobs) {
    names.push_back(job->name);
  }
  return names;
}

// A layer that names a Python and no Spark folder wants that Python's Spark, so a folder from below must not get in its way.
void lay_over(SparkChoice& spark, const SparkChoice& layer) {
  if (layer.home || layer.python) {
    spark.home = layer.home;
  }
  if (layer.python) {
    spark.python = layer.python;
  }
  if (layer.master) {
    spark.master = layer.master;
  }
}

void lay_over(JobVariant& target, const JobSettings& layer, const std::string& origin) {
  for (const auto& [key, value] : layer.conf) {
    target.conf[key] = ConfValue{value, origin};
  }
  for (const auto& [name, value] : layer.environment) {
    target.environment[name] = value;
  }
  target.args = layer.args.value_or(target.args);
  target.timeout = layer.timeout.value_or(target.timeout);
  target.runs = layer.runs.value_or(target.runs);
  target.owner = layer.owner.value_or(target.owner);
  lay_over(target.spark, layer.spark);
}

// A layer of this job or variant alone.
void lay_over_own(JobVariant& target, const JobSettings& layer, const std::string& origin) {
  lay_over(target, layer, origin);
  target.spark.python_is_own = target.spark.python_is_own || layer.spark.python.has_value();
}

JobVariant resolve_one(const Manifest& manifest, const JobTable& job, const std::string& variant, const Selection& selection) {
  JobVariant result;
  result.job = job.name;
  result.variant = variant;
  result.job_at = job.at;
  result.variant_at = job.at;
  result.app = job.app;
  result.command = job.command;
  result.main_class = job.main_class;
  result.manifest_dir = manifest.dir;
  result.evidence = manifest.evidence;
  lay_over(result, manifest.defaults, "[defaults]");
  lay_over_own(result, job.settings, fmt::format("[jobs.{}]", job.name));
  for (const auto& table : manifest.variants) {
    if (table.name == variant) {
      result.variant_at = table.at;
      lay_over_own(result, table.settings, fmt::format("[variants.{}]", variant));
    }
  }
  if (const auto own = job.variant_settings.find(variant); own != job.variant_settings.end()) {
    lay_over_own(result, own->second, fmt::format("[jobs.{}.variant.{}]", job.name, variant));
  }
  for (const auto& [key, value] : selection.conf) {
    result.conf[key] = ConfValue{value, "--conf"};
  }
  result.runs = selection.runs.value_or(result.runs);
  return result;
}

}  // namespace

Result<std::vector<JobVariant>> resolve(const Manifest& manifest, const Selection& selection) {
  STAGEGATE_TRY_ASSIGN(jobs, select_jobs(manifest, selection.jobs));
  STAGEGATE_TRY(check_globs(fmt::format("variant of {}'s {}", manifest.file, join(job_names(jobs), ", ")), selection.variants,
                            variants_of(manifest, jobs)));
  std::vector<JobVariant> result;
  for (const auto* job : jobs) {
    for (const auto& variant : variants_of(manifest, *job)) {
      if (fits_any(selection.variants, variant)) {
        result.push_back(resolve_one(manifest, *job, variant, selection));
      }
    }
  }
  return result;
}

}  // namespace stagegate
