#include "model/verdict.h"

#include <algorithm>
#include <csignal>

namespace stagegate {
namespace {

bool any(const RunResult& result, std::initializer_list<VariantState> states) {
  return std::any_of(result.variants.begin(), result.variants.end(),
                     [&](const VariantResult& variant) { return std::find(states.begin(), states.end(), variant.state) != states.end(); });
}

bool any_failing(const RunResult& result) {
  return std::any_of(result.variants.begin(), result.variants.end(), [](const VariantResult& variant) {
    return std::any_of(variant.findings.begin(), variant.findings.end(), [](const JudgedFinding& finding) { return fails(finding); });
  });
}

}  // namespace

std::string_view to_string(FindingState state) {
  switch (state) {
    case FindingState::new_finding:
      return "new";
    case FindingState::worse:
      return "worse";
    case FindingState::known:
      return "known";
    case FindingState::suppressed:
      return "suppressed";
    case FindingState::unjudged:
      return "unjudged";
  }
  return "unjudged";
}

std::string_view to_string(VariantState state) {
  switch (state) {
    case VariantState::judged:
      return "judged";
    case VariantState::job_failed:
      return "job-failed";
    case VariantState::no_evidence:
      return "no-evidence";
    case VariantState::not_this_variant:
      return "not-this-variant";
    case VariantState::no_baseline:
      return "no-baseline";
    case VariantState::not_comparable:
      return "not-comparable";
    case VariantState::baseline_broken:
      return "baseline-broken";
    case VariantState::rule_broken:
      return "rule-broken";
    case VariantState::nothing_ran:
      return "nothing-ran";
    case VariantState::interrupted:
      return "interrupted";
    case VariantState::not_started:
      return "not-started";
  }
  return "internal";
}

std::string_view to_string(ExitCode code) {
  switch (code) {
    case ExitCode::passed:
      return "passed";
    case ExitCode::regressed:
      return "regressed";
    case ExitCode::usage:
      return "usage-error";
    case ExitCode::not_judged:
      return "not-judged";
    case ExitCode::nothing_to_check:
      return "nothing-to-check";
    case ExitCode::baseline_trouble:
      return "baseline-trouble";
    case ExitCode::internal:
      return "internal-error";
    case ExitCode::output_failed:
      return "output-failed";
    case ExitCode::interrupted:
      return "interrupted";
    case ExitCode::terminated:
      return "terminated";
  }
  return "internal-error";
}

bool fails(const JudgedFinding& finding) {
  return finding.finding.level == Level::error && (finding.state == FindingState::new_finding || finding.state == FindingState::worse);
}

ExitCode exit_code_of(const RunResult& result) {
  if (result.interrupt_signal) {
    return *result.interrupt_signal == SIGTERM ? ExitCode::terminated : ExitCode::interrupted;
  }
  if (result.ended_early) {
    return exit_code_of(*result.ended_early);
  }
  if (!result.errors.empty() || any(result, {VariantState::baseline_broken, VariantState::rule_broken})) {
    return ExitCode::usage;
  }
  if (any_failing(result)) {
    return ExitCode::regressed;
  }
  if (any(result, {VariantState::job_failed, VariantState::no_evidence, VariantState::not_this_variant, VariantState::interrupted,
                   VariantState::not_started})) {
    return ExitCode::not_judged;
  }
  if (any(result, {VariantState::no_baseline, VariantState::not_comparable})) {
    return ExitCode::baseline_trouble;
  }
  if (result.variants.empty() || any(result, {VariantState::nothing_ran})) {
    return ExitCode::nothing_to_check;
  }
  return result.output_failed ? ExitCode::output_failed : ExitCode::passed;
}

ExitCode exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return ExitCode::usage;
    case ErrorKind::job:
    case ErrorKind::evidence:
      return ExitCode::not_judged;
    case ErrorKind::nothing:
      return ExitCode::nothing_to_check;
    case ErrorKind::baseline:
      return ExitCode::baseline_trouble;
    case ErrorKind::output:
      return ExitCode::output_failed;
    case ErrorKind::internal:
      return ExitCode::internal;
  }
  return ExitCode::internal;
}

}  // namespace stagegate
