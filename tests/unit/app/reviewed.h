// Results to review, written out by hand.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/review_plan.h"
#include "baseline/baseline_json.h"
#include "unit/baseline/baselines.h"

namespace stagegate::test {

inline BaselineFinding found(const std::string& rule, const std::string& label, const std::string& fingerprint, std::int64_t value) {
  return {.rule = rule, .stage_label = label, .stage_fingerprint = fingerprint, .value_thousandths = value, .unit = ValueUnit::ratio};
}

inline Baseline holding(std::vector<BaselineFinding> findings) {
  auto baseline = revenue_baseline();
  baseline.findings = std::move(findings);
  return baseline;
}

inline ReviewedVariant reviewed(const Baseline& accepted, const Baseline& pending) {
  return {.job = "revenue",
          .variant = "adaptive-off",
          .path = "/repo/baselines/revenue/adaptive-off.json",
          .shown = "baselines/revenue/adaptive-off.json",
          .old_text = write_baseline(accepted),
          .accepted = accepted,
          .differences = {},
          .pending = pending,
          .pending_text = write_baseline(pending),
          .levels = {{"skew", Level::error}, {"spill", Level::warning}}};
}

// Skew has a tolerance of a tenth, spill none.
inline std::vector<Rule> rules() {
  Rule skew;
  skew.id = "skew";
  skew.title = "one task reads far more than the others";
  skew.summary = "The largest read is far from the median.";
  skew.hint = "Look which key\nthe large task holds.";
  skew.tolerance_thousandths = 100;
  Rule spill;
  spill.id = "spill";
  spill.title = "it did not fit into memory";
  spill.summary = "Something was written to disk.";
  return {skew, spill};
}

}  // namespace stagegate::test
