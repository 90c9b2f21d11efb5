// The manifest, stagegate.toml, as values (design 12).
//
// Everything that can be wrong in it is found by parse_manifest() and reported at once, one line an error, each with
// file:line:col and, for a misspelt name, the nearest known one. Nothing is opened and nothing is run: whether an app's file exists
// is asked when it is about to run (and by `validate`).
//
// In every string:
//   ${NAME}, ${NAME:-default}   an environment variable; unset and without a default it is an error. As in a shell, the default also stands
//                               in for an empty value. It may hold placeholders and variables itself.
//   $$                          a literal '$'; so Spark's own substitution is written "$${spark.app.name}"
// In args and command, {run_dir}, {job}, {variant} and {manifest_dir} stay for run/ to fill in, "{{" and "}}" stay too and mean a literal
// brace, and any other brace is an error; braces that come out of the environment are doubled, so that they are literal. In the values of
// conf and env the four names stay and other braces mean nothing, since Spark has its own {{APP_ID}} there.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/job_variant.h"
#include "model/rule_settings.h"

namespace stagegate {

// The variant under which each job runs once where a manifest has no variants.
inline constexpr std::string_view kOnlyVariant = "default";

// How often a variant may run.
inline constexpr int kMostRuns = 100;

// The settings that [defaults], [jobs.X], [variants.X] and [jobs.X.variant.Y] share, each overriding the one before.
struct JobSettings {
  std::map<std::string, std::string> conf;
  std::map<std::string, std::string> environment;
  std::optional<std::vector<std::string>> args;
  std::optional<std::chrono::milliseconds> timeout;  // 0: none
  std::optional<int> runs;                           // 1 to kMostRuns
  std::optional<std::string> owner;
  SparkChoice spark;
};

struct VariantTable {
  std::string name;
  std::string description;
  JobSettings settings;
  Position at;  // of its own header, as a rule of the name in it; so for jobs and rules
};

struct JobTable {
  std::string name;
  std::optional<std::string> app;
  std::optional<std::string> main_class;
  std::vector<std::string> command;
  std::optional<std::vector<std::string>> variants;  // absent: all of the manifest's
  JobSettings settings;
  std::map<std::string, JobSettings> variant_settings;  // [jobs.X.variant.Y]
  Position at;
};

struct Manifest {
  std::string file;                    // as shown in messages
  std::string dir;                     // absolute: relative paths start here
  JobSettings defaults;                // [spark] and [defaults]
  std::vector<JobTable> jobs;          // in the order of the file
  std::vector<VariantTable> variants;  // in the order of the file
  std::vector<RuleSettings> rules;
  std::vector<Suppression> suppressions;
  EvidencePlace evidence;                // [evidence]
  std::optional<std::string> rules_dir;  // absolute
  std::string report_dir;                // absolute
  std::string baseline_dir;              // absolute
  bool use_baselines = true;
  Position baseline_at;  // of [baseline], for messages; line 0 where there is none
};

// What the parser may know of the world.
struct ManifestContext {
  std::string file;  // as shown in messages
  std::string dir;   // absolute folder of the manifest
  // The value of an environment variable, for ${NAME} in strings. Must be set.
  std::function<std::optional<std::string>(const std::string& name)> environment;
};

// TEXT is the manifest's bytes. The error holds every finding, a line each, in the order of the file; a syntax error comes alone, since
// toml++ stops there. Kind: usage.
Result<Manifest> parse_manifest(std::string_view text, const ManifestContext& context);

// What the command line selects and adds.
struct Selection {
  std::vector<std::string> jobs;                          // globs; empty: all
  std::vector<std::string> variants;                      // globs; empty: all; one need only fit a variant of any selected job
  std::vector<std::pair<std::string, std::string>> conf;  // --conf, over everything else
  std::optional<int> runs = {};                           // --runs, over everything else
};

// The jobs x variants that are to run, in the order of the manifest: jobs first, then the job's variants as it lists them. A glob that fits
// nothing is a usage error that names what there is; a manifest without a job is ErrorKind::nothing.
//
// Settings are laid over each other in the order [defaults] (with [spark]), job, variant, the job's own table for the variant, --conf and
// --runs.
// Conf and env merge by key, anything else replaces what was there. A layer that sets `python` and not `home` also drops a `home` from
// below, which would win over it.
Result<std::vector<JobVariant>> resolve(const Manifest& manifest, const Selection& selection);

}  // namespace stagegate
