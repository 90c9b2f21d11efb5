// The command line, as values. CLI11 stays in options.cpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "baseline/take_over.h"
#include "model/baseline.h"
#include "report/report.h"
#include "run/run_jobs.h"

namespace stagegate {

enum class ColorChoice { automatic, always, never };

struct CommonOptions {
  std::optional<std::string> manifest;    // --manifest
  std::optional<std::string> report_dir;  // --report-dir, over [report] dir
  ColorChoice color = ColorChoice::automatic;
};

// How a server is asked where SOURCE is an address.
struct WebOptions {
  bool rest = false;                              // --rest: not for the event log
  std::optional<std::chrono::milliseconds> wait;  // --wait: for a history server to know the application, and that it ended
  std::vector<std::string> headers;
  std::optional<std::string> user;  // "name" or "name:password"
  std::optional<std::string> token_variable;
  std::optional<std::string> token_file;
  bool netrc = false;
  std::optional<std::string> ca_file;
  bool insecure = false;
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds idle_timeout{30'000};
  std::int64_t max_answer_bytes = std::int64_t{256} << 20;
};

// Where an application's evidence is, and which one is meant.
struct SourceOptions {
  std::string source;              // a file, a folder, "-" for standard input, or the address of a live UI or history server
  std::optional<std::string> app;  // an id, a name, or "latest"
  int threads = 0;                 // 0: as many as the machine has cores
  WebOptions web;
};

struct RunOptions {
  CommonOptions common;
  std::vector<std::string> jobs;
  std::vector<std::string> variants;
  std::vector<std::string> conf;  // "k=v"
  std::optional<int> runs;        // of each variant, over the manifest
  int parallel = 1;
  OnFailure on_failure = OnFailure::keep_going;
  SparkVersions versions = SparkVersions::must_be_the_same;
  bool dry_run = false;
};

struct CheckOptions {
  CommonOptions common;
  SourceOptions source;
  std::string job;
  std::string variant;
  SparkVersions versions = SparkVersions::must_be_the_same;
};

enum class ReportFormat { text, json, csv, csv_tasks, markdown };

struct ReportOptions {
  SourceOptions source;
  bool all_apps = false;
  bool watch = false;  // draws the report of a live UI again while the application runs; with text
  ReportFormat format = ReportFormat::text;
  std::optional<StageChoice> stage;  // this one alone; with text and json
  StageSort sort = StageSort::stage;
  StageFilter filter = StageFilter::ran;
  ColorChoice color = ColorChoice::automatic;
};

enum class CompareFormat { text, json, markdown };
enum class FailOn { new_finding, growth };

struct CompareOptions {
  CommonOptions common;  // for variants
  SourceOptions before;
  SourceOptions after;                // options for addresses are those of `before`
  std::vector<std::string> variants;  // none or two: the last runs of these are compared instead
  std::vector<std::string> jobs;
  CompareFormat format = CompareFormat::text;
  std::vector<FailOn> fail_on;
  SparkVersions versions = SparkVersions::must_be_the_same;
  bool explain_match = false;
};

struct ValidateOptions {
  CommonOptions common;
};

struct ListOptions {
  CommonOptions common;
  std::vector<std::string> jobs;
  std::vector<std::string> variants;
};

struct ExplainOptions {
  CommonOptions common;
  std::string rule;
};

// What all commands below `baseline` have.
struct BaselineOptions {
  CommonOptions common;
  std::vector<std::string> jobs;
  std::vector<std::string> variants;
};

struct BaselineAcceptOptions : BaselineOptions {
  FindingChoice choice;  // only these findings, and nothing else
};
struct BaselineStatusOptions : BaselineOptions {};
struct BaselineRejectOptions : BaselineOptions {};
struct BaselineReviewOptions : BaselineOptions {};

// Baseline files that belong to no job variant of the manifest.
enum class Orphans { keep, remove };

struct BaselinePruneOptions : BaselineOptions {
  Orphans orphans = Orphans::keep;
};

// What is left where the command line itself was the answer (--help, --version) or wrong: the texts are printed already.
struct Finished {
  int exit_code = 0;
};

using Command =
    std::variant<Finished, RunOptions, CheckOptions, ReportOptions, CompareOptions, ValidateOptions, ListOptions, ExplainOptions,
                 BaselineAcceptOptions, BaselineStatusOptions, BaselinePruneOptions, BaselineRejectOptions, BaselineReviewOptions>;

Command parse_command_line(int argc, char** argv);

}  // namespace stagegate
