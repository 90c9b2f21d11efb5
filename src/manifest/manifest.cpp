#include "manifest/manifest.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "manifest/evidence_table.h"
#include "manifest/job_settings.h"
#include "manifest/job_tables.h"
#include "manifest/rule_tables.h"
#include "manifest/table_reader.h"

namespace stagegate {
namespace {

using manifest::Problems;
using manifest::TableReader;

template <typename T>
std::vector<std::string> names_of(const std::vector<T>& tables) {
  std::vector<std::string> names;
  std::transform(tables.begin(), tables.end(), std::back_inserter(names), [](const T& table) { return table.name; });
  return names;
}

void read_defaults(TableReader& file, Manifest& result) {
  if (auto defaults = file.table("defaults")) {
    result.defaults = manifest::read_settings(*defaults, manifest::SettingsOf::defaults);
    defaults->unknown_keys_are_problems();
  }
  if (auto spark = file.table("spark")) {
    result.defaults.spark = manifest::read_spark_choice(*spark);
    spark->unknown_keys_are_problems();
  }
}

void read_report(TableReader& file, Manifest& result) {
  if (auto report = file.table("report")) {
    result.report_dir = manifest::read_path(*report, "dir").value_or(result.report_dir);
    report->unknown_keys_are_problems();
  }
}

void read_baseline(TableReader& file, Manifest& result) {
  if (auto baseline = file.table("baseline")) {
    result.baseline_at = baseline->at();
    result.baseline_dir = manifest::read_path(*baseline, "dir").value_or(result.baseline_dir);
    result.use_baselines = baseline->flag("use").value_or(true);
    baseline->unknown_keys_are_problems();
  }
}

Manifest with_defaults(const ManifestContext& context) {
  const std::string root = context.dir == "/" ? "" : context.dir;
  Manifest result;
  result.file = context.file;
  result.dir = context.dir;
  result.report_dir = root + "/stagegate-out";
  result.baseline_dir = root + "/baselines";
  result.baseline_at = Position{context.file, 0, 0};
  return result;
}

}  // namespace

Result<Manifest> parse_manifest(std::string_view text, const ManifestContext& context) {
  STAGEGATE_TRY_ASSIGN(tree, manifest::parse_toml(text, context.file));
  Problems problems;
  TableReader file(tree, context, problems);
  Manifest result = with_defaults(context);
  result.rules_dir = manifest::read_path(file, "rules_dir");
  read_defaults(file, result);
  result.variants = manifest::read_variants(file);
  const auto variants = result.variants.empty() ? std::vector<std::string>{std::string(kOnlyVariant)} : names_of(result.variants);
  result.jobs = manifest::read_jobs(file, variants);
  result.rules = manifest::read_rules(file, names_of(result.jobs), variants);
  result.suppressions = manifest::read_suppressions(file);
  result.evidence = manifest::read_evidence_place(file);
  read_report(file, result);
  read_baseline(file, result);
  file.unknown_keys_are_problems();
  STAGEGATE_TRY(problems.status());
  return result;
}

}  // namespace stagegate
