// Rules held against stages that are written out by hand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/evaluate.h"

namespace stagegate::testing {

// The built-in rule of this id, alone.
inline std::vector<Rule> only(const std::string& id) {
  auto rules = *load_rules({});
  std::erase_if(rules, [&](const Rule& rule) { return rule.id != id; });
  EXPECT_EQ(rules.size(), 1U);
  return rules;
}

inline Stage stage_named(const std::string& label) {
  Stage stage;
  stage.id = 7;
  stage.key = {label, "00112233aabbccdd"};
  stage.tasks = 4;
  stage.cores = 4;
  stage.attempts = 1;
  return stage;
}

inline Stage stage_with(Metric metric, const std::vector<std::int64_t>& values, const std::string& label = "join orders") {
  auto stage = stage_named(label);
  stage.tasks = static_cast<std::int64_t>(values.size());
  stage.metrics[index_of(metric)] = distribution_of(values);
  return stage;
}

// PARTNERS: of each stage; none at all: there is no accepted run.
inline Result<std::vector<Finding>> evaluate_rules(const std::vector<Rule>& rules, const std::vector<Stage>& stages,
                                                   const std::vector<const BaselineStage*>& partners = {}) {
  std::vector<BaselineStage> kept;
  for (const auto* partner : partners) {
    if (partner != nullptr) {
      kept.push_back(*partner);
    }
  }
  const AcceptedRun accepted{.stages = kept, .partners = partners};
  return evaluate(configure(rules, {}, "job", "variant"), {.stages = stages}, partners.empty() ? nullptr : &accepted);
}

inline std::vector<Finding> findings_of(const std::vector<Rule>& rules, const std::vector<Stage>& stages,
                                        const std::vector<const BaselineStage*>& accepted = {}) {
  auto findings = evaluate_rules(rules, stages, accepted);
  EXPECT_TRUE(findings) << findings.error().message;
  return findings.value_or(std::vector<Finding>());
}

inline std::vector<std::string> names_of(const std::vector<Finding>& findings) {
  std::vector<std::string> names;
  names.reserve(findings.size());
  for (const auto& finding : findings) {
    names.push_back(finding.rule + " @ " + finding.stage_label);
  }
  return names;
}

}  // namespace stagegate::testing
