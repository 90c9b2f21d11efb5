// How `baseline review` speaks of what it asks and of the answers, in a line each.
#pragma once

#include <span>
#include <string>

#include "app/review_plan.h"

namespace stagegate {

// "revenue/adaptive"
std::string variant_name(const ReviewedVariant& variant);
// The stage's label, or "the whole run".
std::string stage_name(const BaselineFinding& finding);
// What an item about a finding is about, as it is now where it is there.
const BaselineFinding& finding_of(const ReviewItem& item);
// "skew at join customers", "the new totals of 3 stages"
std::string item_name(const ReviewPlan& plan, const ReviewItem& item);

// "accepted", "suppressed until 2027-03-01: guest orders"; "" where there is no answer.
std::string answer_words(const ReviewAnswer& answer);
// "2 accepted, 1 rejected, 3 not answered"
std::string count_answers(const ReviewPlan& plan, std::span<const ReviewAnswer> answers);
// The items with this ANSWER, a line each, indented.
std::string answered_list(const ReviewPlan& plan, std::span<const ReviewAnswer> answers, Answer answer);

}  // namespace stagegate
