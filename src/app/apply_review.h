// Writes what the answers of `baseline review` ask for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/project.h"
#include "app/review_plan.h"

namespace stagegate {

// The files that the answers change, a line each with what changes; nothing is written. Empty: none.
std::vector<std::string> review_changes(const Project& project, const ReviewPlan& plan, std::span<const ReviewAnswer> answers);

// Writes them, each at once and by itself: one that cannot be written does not keep the others from it. Prints what was written, what was
// not with the answers that are lost by that, what stays as it was, and what to type next. A baseline that is not any more what the answers
// were given to is left alone. Returns the exit code.
int apply_review(const Project& project, const ReviewPlan& plan, std::span<const ReviewAnswer> answers);

}  // namespace stagegate
