// Asks a person the questions of a review, on a terminal.
#pragma once

#include <cstdint>
#include <vector>

#include "app/options.h"
#include "app/project.h"
#include "app/review_plan.h"

namespace stagegate {

enum class ReviewEnd : std::uint8_t {
  apply,
  drop,
  end_of_input,
  interrupted,  // by what interrupt_signal() says
};

struct Interviewed {
  ReviewEnd end = ReviewEnd::drop;
  std::vector<ReviewAnswer> answers;  // to the plan's items, in order
};

// PLAN has items. Standard input and output must be a terminal, which is as it was when this returns, and watch_interrupts() called.
// Nothing is written.
Interviewed interview(const Project& project, const ReviewPlan& plan, ColorChoice color);

}  // namespace stagegate
