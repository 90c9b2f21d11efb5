// The command line, as values. CLI11 stays in options.cpp.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "report/report.h"
#include "run/run_jobs.h"

namespace stagegate {

enum class ColorChoice { automatic, always, never };

struct CommonOptions {
  std::optional<std::string> manifest;    // --manifest
  std::optional<std::string> report_dir;  // --report-dir, over [report] dir
  ColorChoice color = ColorChoice::automatic;
};

// Where an application's evidence is, and which one is meant.
struct SourceOptions {
  std::string source;              // a file, a folder, or "-" for standard input
  std::optional<std::string> app;  // an id, a name, or "latest"
  int threads = 0;                 // 0: as many as the machine has cores
};

struct RunOptions {
  CommonOptions common;
  std::vector<std::string> jobs;
  std::vector<std::string> variants;
  std::vector<std::string> conf;  // "k=v"
  int parallel = 1;
  OnFailure on_failure = OnFailure::keep_going;
  bool dry_run = false;
};

struct CheckOptions {
  CommonOptions common;
  SourceOptions source;
  std::string job;
  std::string variant;
};

enum class ReportFormat { text, json, csv, csv_tasks, markdown };

struct ReportOptions {
  SourceOptions source;
  bool all_apps = false;
  ReportFormat format = ReportFormat::text;
  std::optional<StageChoice> stage;  // this one alone; with text and json
  StageSort sort = StageSort::stage;
  StageFilter filter = StageFilter::ran;
  ColorChoice color = ColorChoice::automatic;
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

struct BaselineAcceptOptions {
  CommonOptions common;
  std::vector<std::string> jobs;
  std::vector<std::string> variants;
};

// What is left where the command line itself was the answer (--help, --version) or wrong: the texts are printed already.
struct Finished {
  int exit_code = 0;
};

using Command =
    std::variant<Finished, RunOptions, CheckOptions, ReportOptions, ValidateOptions, ListOptions, ExplainOptions, BaselineAcceptOptions>;

Command parse_command_line(int argc, char** argv);

}  // namespace stagegate
