#include "app/review_plan.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "baseline/baseline_format.h"
#include "baseline/baseline_json.h"
#include "baseline/match_findings.h"
#include "baseline/tighten.h"
#include "identity/link_stages.h"
#include "manifest/suppress_block.h"

namespace stagegate {
namespace {

// For each finding of PENDING the index of the accepted one that it is.
std::vector<std::optional<std::size_t>> pairs_of(const ReviewedVariant& variant) {
  return match_findings(variant.pending, *variant.accepted, variant.links);
}

std::int64_t tolerance_of(const std::string& rule, std::span<const Rule> rules) {
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule& candidate) { return candidate.id == rule; });
  return found == rules.end() ? 0 : found->tolerance_thousandths;
}

// The kind of question that an accepted finding raises which is still there.
ReviewKind kind_of(const BaselineFinding& accepted, const BaselineFinding& now, std::int64_t tolerance) {
  const auto how = moved(accepted.value_thousandths, now.value_thousandths, tolerance);
  if (how == Moved::worse || accepted.unit != now.unit) {
    return ReviewKind::worse;
  }
  return how == Moved::better ? ReviewKind::better : ReviewKind::totals;
}

bool is_suppressed(const BaselineFinding& finding, const ReviewedVariant& variant, std::span<const Suppression> suppressions,
                   const std::string& today) {
  return std::any_of(suppressions.begin(), suppressions.end(), [&](const Suppression& suppression) {
    return !is_expired(suppression, today) && covers(suppression, variant.job, variant.variant, finding.rule, finding.stage_label);
  });
}

// A suppression that came after the run takes findings out of its result, as it does in the next run.
void leave_suppressed_out(ReviewedVariant& variant, std::span<const Suppression> suppressions, const std::string& today) {
  const auto left_out = std::erase_if(variant.pending.findings,
                                      [&](const BaselineFinding& finding) { return is_suppressed(finding, variant, suppressions, today); });
  if (left_out > 0) {
    variant.pending_text = write_baseline(variant.pending);
  }
}

Baseline with_findings(Baseline baseline, std::vector<BaselineFinding> findings) {
  baseline.findings = std::move(findings);
  sort_baseline(baseline);
  return baseline;
}

// The questions of one variant.
class VariantPlanner {
 public:
  VariantPlanner(std::size_t index, std::span<const Rule> rules, std::span<const Suppression> suppressions)
      : index_(index), rules_(rules), suppressions_(suppressions) {}

  std::vector<ReviewItem> items(const ReviewedVariant& variant) {
    if (!variant.differences.empty()) {
      add(ReviewKind::whole);
    } else if (!variant.accepted) {
      for (const auto& finding : variant.pending.findings) {
        add(ReviewKind::new_finding, std::nullopt, finding);
      }
      add(ReviewKind::new_baseline);
    } else {
      add_changes(variant);
    }
    return std::move(items_);
  }

 private:
  void add(ReviewKind kind, std::optional<BaselineFinding> accepted = std::nullopt, std::optional<BaselineFinding> now = std::nullopt) {
    items_.push_back({.variant = index_, .kind = kind, .accepted = std::move(accepted), .now = std::move(now)});
  }

  void add_changes(const ReviewedVariant& variant) {
    const auto& accepted = *variant.accepted;
    const auto& pending = variant.pending;
    bool others_changed = !(with_findings(pending, {}) == with_findings(accepted, {}));
    const auto pairs = pairs_of(variant);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      others_changed |= add_finding(pending.findings[i], pairs[i] ? &accepted.findings[*pairs[i]] : nullptr);
    }
    std::stable_partition(items_.begin(), items_.end(), [](const ReviewItem& item) { return item.kind != ReviewKind::better; });
    for (const auto& change : tighten(accepted, pending, suppressions_, variant.links).changes) {
      if (!change.now_thousandths) {
        add(ReviewKind::gone, change.before);
      }
    }
    if (others_changed) {
      add(ReviewKind::totals);
    }
  }

  // Whether it changed without being a question of its own.
  bool add_finding(const BaselineFinding& now, const BaselineFinding* accepted) {
    if (accepted == nullptr) {
      add(ReviewKind::new_finding, std::nullopt, now);
      return false;
    }
    const auto kind = kind_of(*accepted, now, tolerance_of(now.rule, rules_));
    if (kind != ReviewKind::totals) {
      add(kind, *accepted, now);
    }
    return kind == ReviewKind::totals && now != *accepted;
  }

  std::size_t index_;
  std::span<const Rule> rules_;
  std::span<const Suppression> suppressions_;
  std::vector<ReviewItem> items_;
};

// What was accepted of one variant.
struct Accepted {
  std::vector<BaselineFinding> now;
  std::vector<BaselineFinding> gone;
  bool totals = false;  // or the baseline as a whole
};

Accepted accepted_of(const ReviewPlan& plan, std::span<const ReviewAnswer> answers, std::size_t variant) {
  Accepted accepted;
  for (std::size_t i = 0; i < plan.items.size(); ++i) {
    const auto& item = plan.items[i];
    if (item.variant != variant || answers[i].answer != Answer::accept) {
      continue;
    }
    if (item.now) {
      accepted.now.push_back(*item.now);
    } else if (item.accepted) {
      accepted.gone.push_back(*item.accepted);
    } else {
      accepted.totals = true;
    }
  }
  return accepted;
}

// Takes one entry that equals FINDING out of FINDINGS; whether there was one.
bool take_out(std::vector<BaselineFinding>& findings, const BaselineFinding& finding) {
  const auto found = std::find(findings.begin(), findings.end(), finding);
  if (found == findings.end()) {
    return false;
  }
  findings.erase(found);
  return true;
}

bool is_asked(const ReviewPlan& plan, std::size_t variant, const BaselineFinding& finding) {
  return std::any_of(plan.items.begin(), plan.items.end(),
                     [&](const ReviewItem& item) { return item.variant == variant && item.now == finding; });
}

// A finding that was a question of its own by its answer, any other with the totals.
bool is_taken(const ReviewPlan& plan, std::size_t variant, const BaselineFinding& finding, Accepted& accepted) {
  return is_asked(plan, variant, finding) ? take_out(accepted.now, finding) : accepted.totals;
}

// The findings of a changed baseline: what was accepted as the run has it, what was not as it was accepted before.
std::vector<BaselineFinding> changed_findings(const ReviewPlan& plan, std::size_t variant, Accepted accepted) {
  const auto& reviewed = plan.variants[variant];
  const auto& links = reviewed.links;
  const bool has_new_stages = accepted.totals;
  std::vector<std::optional<BaselineFinding>> old(reviewed.accepted->findings.begin(), reviewed.accepted->findings.end());
  std::vector<BaselineFinding> findings;
  const auto pairs = pairs_of(reviewed);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& now = reviewed.pending.findings[i];
    if (is_taken(plan, variant, now, accepted)) {
      findings.push_back(has_new_stages ? now : at_stage(now, links.before(now.stage_fingerprint)));
      if (pairs[i]) {
        old[*pairs[i]].reset();
      }
    }
  }
  for (const auto& finding : old) {
    if (finding && !take_out(accepted.gone, *finding)) {
      findings.push_back(has_new_stages ? at_stage(*finding, links.now(finding->stage_fingerprint)) : *finding);
    }
  }
  return findings;
}

Baseline changed_baseline(const ReviewPlan& plan, std::size_t variant, const Accepted& accepted) {
  const auto& reviewed = plan.variants[variant];
  return with_findings(accepted.totals ? reviewed.pending : *reviewed.accepted, changed_findings(plan, variant, accepted));
}

}  // namespace

ReviewPlan plan_review(std::vector<ReviewedVariant> variants, std::span<const Rule> rules, std::span<const Suppression> suppressions,
                       const std::string& today) {
  ReviewPlan plan{.variants = std::move(variants), .items = {}};
  for (std::size_t i = 0; i < plan.variants.size(); ++i) {
    auto& variant = plan.variants[i];
    leave_suppressed_out(variant, suppressions, today);
    if (variant.accepted) {
      variant.links = link_stages(*variant.accepted, variant.pending);
    }
    auto items = VariantPlanner(i, rules, suppressions).items(variant);
    plan.items.insert(plan.items.end(), std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
  }
  return plan;
}

std::vector<std::pair<BaselineFinding, BaselineFinding>> changed_with_totals(const ReviewPlan& plan, std::size_t variant) {
  std::vector<std::pair<BaselineFinding, BaselineFinding>> changes;
  const auto& before = *plan.variants[variant].accepted;
  const auto& pending = plan.variants[variant].pending;
  const auto pairs = pairs_of(plan.variants[variant]);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& now = pending.findings[i];
    if (pairs[i] && now != before.findings[*pairs[i]] && !is_asked(plan, variant, now)) {
      changes.emplace_back(before.findings[*pairs[i]], now);
    }
  }
  return changes;
}

bool can_fail(ReviewKind kind) {
  return kind == ReviewKind::new_finding || kind == ReviewKind::worse;
}

bool is_implied(const ReviewPlan& plan, std::span<const ReviewAnswer> answers, std::size_t item) {
  return plan.items[item].kind == ReviewKind::new_baseline && !accepted_of(plan, answers, plan.items[item].variant).now.empty();
}

std::optional<ReviewedBaseline> reviewed_baseline(const ReviewPlan& plan, std::span<const ReviewAnswer> answers, std::size_t variant) {
  const auto& reviewed = plan.variants[variant];
  const auto accepted = accepted_of(plan, answers, variant);
  if (accepted.now.empty() && accepted.gone.empty() && !accepted.totals) {
    return std::nullopt;
  }
  auto baseline = !reviewed.differences.empty() ? reviewed.pending
                  : reviewed.accepted           ? changed_baseline(plan, variant, accepted)
                                                : with_findings(reviewed.pending, accepted.now);
  auto text = baseline == reviewed.pending ? reviewed.pending_text : write_baseline(baseline);
  return ReviewedBaseline{.baseline = std::move(baseline), .text = std::move(text)};
}

Suppression suppression_of(const ReviewPlan& plan, const ReviewItem& item, const ReviewAnswer& answer) {
  const auto& variant = plan.variants[item.variant];
  Suppression suppression;
  suppression.rule = glob_of(item.now->rule);
  suppression.job = glob_of(variant.job);
  suppression.variant = glob_of(variant.variant);
  suppression.stage = glob_of(item.now->stage_label);
  suppression.reason = answer.reason;
  suppression.until = answer.until;
  return suppression;
}

std::vector<Suppression> reviewed_suppressions(const ReviewPlan& plan, std::span<const ReviewAnswer> answers) {
  std::vector<Suppression> suppressions;
  for (std::size_t i = 0; i < plan.items.size(); ++i) {
    if (answers[i].answer == Answer::suppress && can_fail(plan.items[i].kind)) {
      suppressions.push_back(suppression_of(plan, plan.items[i], answers[i]));
    }
  }
  return suppressions;
}

}  // namespace stagegate
