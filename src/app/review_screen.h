// What `baseline review` shows: each a pure function from values to text.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "app/review_plan.h"
#include "report/report.h"
#include "rules/rule.h"

namespace stagegate {

struct ReviewLook {
  Color color = Color::off;
  std::size_t width = 80;
  std::size_t height = 24;  // what does not fit is said to be left out, not scrolled away
};

// One question with all that is known of it, and the answer that it has already. No keys.
std::string item_screen(const ReviewPlan& plan, std::span<const ReviewAnswer> answers, std::size_t item, std::span<const Rule> rules,
                        const ReviewLook& look);

// The keys that answer it, in a line or more of look.width.
std::string key_line(ReviewKind kind, const ReviewLook& look);

// What the keys do.
std::string review_help(const ReviewLook& look);

}  // namespace stagegate
