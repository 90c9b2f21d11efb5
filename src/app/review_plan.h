// What `baseline review` asks, and what the answers come to. Values alone: no terminal, no files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/baseline.h"
#include "model/finding.h"
#include "model/rule_settings.h"
#include "model/stage_links.h"
#include "rules/rule.h"

namespace stagegate {

// One job variant of which a run has left a result.
struct ReviewedVariant {
  std::string job;
  std::string variant;
  std::string path;                      // of the baseline, absolute
  std::string shown;                     // the same, as it is shown
  std::optional<std::string> old_text;   // the bytes of the baseline file; absent where there is none
  std::optional<Baseline> accepted;      // absent where there is none, or none that the result can be held against
  std::vector<std::string> differences;  // why not, a line each; empty where there is no baseline file
  Baseline pending;                      // what `baseline accept` would write
  std::string pending_text;              // its bytes
  std::map<std::string, Level> levels;   // of the rules that are not off
  StageLinks links = {};                 // from the stages of `accepted` to those of `pending`; plan_review() fills it
};

enum class ReviewKind : std::uint8_t {
  new_finding,
  worse,         // accepted, and beyond its rule's tolerance now
  better,        // accepted, and below that by as much
  gone,          // accepted, and not there any more
  totals,        // all else that changed: the stages, conditions, accepted findings within their tolerance
  new_baseline,  // there was none: the numbers of the stages. Accepting a finding accepts this too
  whole,         // the result in place of a baseline that it cannot be held against
};

// One question.
struct ReviewItem {
  std::size_t variant = 0;  // index into the plan's
  ReviewKind kind = ReviewKind::new_finding;
  std::optional<BaselineFinding> accepted;  // of worse, better and gone
  std::optional<BaselineFinding> now;       // of new_finding, worse and better
};

struct ReviewPlan {
  std::vector<ReviewedVariant> variants;
  std::vector<ReviewItem> items;  // of one variant after the other: what fails first, then what got better, then the rest
};

// RULES give the tolerances. Findings that one of SUPPRESSIONS covers on the day TODAY are left out of what the run found, as the next run
// will do it; accepted ones that a suppression covers may be hidden and not gone, so they are no question and stay.
ReviewPlan plan_review(std::vector<ReviewedVariant> variants, std::span<const Rule> rules, std::span<const Suppression> suppressions,
                       const std::string& today);

// The accepted findings of a variant that change with its totals: then and now.
std::vector<std::pair<BaselineFinding, BaselineFinding>> changed_with_totals(const ReviewPlan& plan, std::size_t variant);

enum class Answer : std::uint8_t { open, accept, reject, suppress, skip };

struct ReviewAnswer {
  Answer answer = Answer::open;
  std::string reason;                // of suppress
  std::optional<std::string> until;  // of suppress
};

// Whether it is a finding that fails the run at level error. Only such a one can be suppressed.
bool can_fail(ReviewKind kind);

// Whether another answer answers this question too. ANSWERS are those to the plan's items, in order.
bool is_implied(const ReviewPlan& plan, std::span<const ReviewAnswer> answers, std::size_t item);

// What is to become of a variant's baseline. Absent: it stays. Where all was accepted and nothing else differs it is the pending file, byte
// for byte. A finding is taken over as by `baseline accept --rule --stage`, to the stage as the baseline calls it; where the new totals are
// accepted too, findings go by what their stages are called now. What was not accepted is as it was.
struct ReviewedBaseline {
  Baseline baseline;
  std::string text;
};
std::optional<ReviewedBaseline> reviewed_baseline(const ReviewPlan& plan, std::span<const ReviewAnswer> answers, std::size_t variant);

// The suppression that an answer asks for: of this rule, job, variant and stage, as patterns.
Suppression suppression_of(const ReviewPlan& plan, const ReviewItem& item, const ReviewAnswer& answer);
std::vector<Suppression> reviewed_suppressions(const ReviewPlan& plan, std::span<const ReviewAnswer> answers);

}  // namespace stagegate
