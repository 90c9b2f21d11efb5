// Rules x a run (x the accepted run) -> findings.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/baseline.h"
#include "model/finding.h"
#include "model/plan_facts.h"
#include "model/rule_settings.h"
#include "model/stage.h"
#include "rules/rule.h"

namespace stagegate {

// A rule with the level and the parameters that hold for one job variant.
struct ConfiguredRule {
  const Rule* rule = nullptr;
  Level level = Level::error;
  std::map<std::string, double> parameters;
};

// Holds the manifest's settings against the rules: unknown rule ids and parameters (with the nearest known name) and values of a wrong
// type or unit are errors with their places, all at once. Kind: usage.
Status check_settings(std::span<const Rule> rules, std::span<const RuleSettings> settings);

// The rules that are not off for this job variant, in order. The settings must have passed check_settings().
std::vector<ConfiguredRule> configure(std::span<const Rule> rules, std::span<const RuleSettings> settings, const std::string& job,
                                      const std::string& variant);

// A run as rules see it.
struct JudgedRun {
  std::span<const Stage> stages;
  RunFacts facts = {};
};

// The run that was accepted, of the same job under the same conditions.
struct AcceptedRun {
  std::span<const BaselineStage> stages;
  std::vector<const BaselineStage*> partners;  // of each stage of the judged run; null: the accepted run does not have it
};

// ACCEPTED is null where there is none that can be compared with: then all that rests on it is unknown. A rule is silenced on the stages
// where one of its `unless` fired, whatever the order of the rules, and even where that one was silenced itself; one with
// `first_only` too where it fired on a stage that this one rests on. Findings come in order of
// rules, then of stages. The error is a rule that divides by zero on one of the stages, or whose `value` is unknown where it fires. Kind:
// usage.
Result<std::vector<Finding>> evaluate(std::span<const ConfiguredRule> rules, const JudgedRun& run, const AcceptedRun* accepted,
                                      int threads = 1);

}  // namespace stagegate
