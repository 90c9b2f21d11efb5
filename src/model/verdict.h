// The result of a run of stagegate: what every report is written from, and what decides the exit code.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/application.h"
#include "model/finding.h"
#include "model/job_variant.h"
#include "model/repeats.h"
#include "model/stage.h"

namespace stagegate {

// How a finding stands against the baseline and the manifest's suppressions.
enum class FindingState : std::uint8_t {
  new_finding,  // not in the baseline: fails at level error
  worse,        // accepted, but worse than its tolerance allows: fails at level error
  known,        // accepted, no worse
  suppressed,   // by [[suppress]]
  unjudged,     // there is no baseline (or none that is comparable) to call it new or known
};

std::string_view to_string(FindingState state);

struct JudgedFinding {
  Finding finding;
  FindingState state = FindingState::unjudged;
  std::optional<std::int64_t> accepted_thousandths;  // of known and worse ones
  std::string suppression_reason;
};

// A finding that the baseline lists and this run does not have: good news.
struct GoneFinding {
  std::string rule;
  std::string stage_label;
  std::int64_t accepted_thousandths = 0;
  ValueUnit unit = ValueUnit::ratio;
};

// How one job under one variant ended. In every state but `judged` nothing passes.
enum class VariantState : std::uint8_t {
  judged,            // its findings decide
  job_failed,        // exit status, signal, time-out, or it could not be started
  no_evidence,       // the event log is missing, unreadable or incomplete
  not_this_variant,  // it ran under another configuration than was asked for
  no_baseline,       // judged as far as that goes without a baseline; findings are unjudged
  not_comparable,    // the baseline was made under other conditions
  baseline_broken,   // the baseline file cannot be read: the user's to mend
  rule_broken,       // a rule cannot be evaluated on a stage: the user's to mend
  nothing_ran,       // the evidence is whole and holds no stage that ran
  interrupted,       // stopped by a signal before it could end
  not_started,       // because of an interrupt or --fail-fast
};

std::string_view to_string(VariantState state);

struct VariantResult {
  std::string job;
  std::string variant;
  std::string owner;
  Position at;  // for JUnit's file and line
  VariantState state = VariantState::not_started;
  std::string reason;         // one line; "" when judged
  std::string detail;         // several lines: the end of the job's output, differing fields, what to type
  std::string run_dir;        // of the first run, or of the one that decides; "" where nothing ran
  std::string baseline_file;  // "" where baselines are off
  std::optional<std::int64_t> started_ms;
  std::optional<std::int64_t> duration_ms;  // of all runs together
  std::int64_t runs = 1;                    // how often it is to run
  std::optional<Application> application;   // of the first run, as the stages
  std::vector<Stage> stages;
  std::vector<std::string> rules;  // ids of the rules that were looked at, in order
  std::vector<JudgedFinding> findings;
  std::vector<GoneFinding> gone;
  std::vector<UnstableStage> unstable;  // what is not the same in each of several runs
};

struct RunResult {
  std::vector<VariantResult> variants;
  std::vector<std::string> notices;      // lines for people: unused suppressions, findings that are gone, ...
  std::vector<std::string> errors;       // usage errors that came up on the way (a broken rule), each makes the code 2
  std::optional<int> interrupt_signal;   // SIGINT or SIGTERM
  bool output_failed = false;            // a report could not be written
  std::optional<ErrorKind> ended_early;  // why it ended before anything was selected; `errors` says it in words
};

// Exit codes are an interface and never renumbered (design 9).
enum class ExitCode : int {
  passed = 0,
  regressed = 1,
  usage = 2,
  not_judged = 3,  // a job failed or its evidence does not do
  nothing_to_check = 4,
  baseline_trouble = 5,
  internal = 70,
  output_failed = 74,
  interrupted = 130,
  terminated = 143,
};

// "passed", "regressed", ...: the words of verdict.json.
std::string_view to_string(ExitCode code);

bool fails(const JudgedFinding& finding);

// Where several apply: an interrupt, then 2, 1, 3, 5, 4, 74.
ExitCode exit_code_of(const RunResult& result);
ExitCode exit_code_of(ErrorKind kind);

}  // namespace stagegate
