// What a stage does, in a few words for people: "join orders, customers on customer_id > partial aggregate by country".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "identity/plan_index.h"

namespace stagegate {

// A label has at most so many bytes; what tells equals apart (" (2)") comes on top and stays below 120 in all.
inline constexpr std::size_t kLongestLabel = 112;

// One thing that a stage does; BRIEF where there is no room for FULL.
struct Step {
  std::string full;
  std::string brief;
};

// The steps of a part of a plan, in the order in which rows flow. ACTION is what a result goes to, such as "collect"; may be "".
std::vector<Step> steps_of(const PlanPart& part, std::string_view action);

// "join orders, customers on customer_id": of a node that is a join.
std::string join_text(const NodeRef& join);

// "PREFIX: STEP > STEP", shortened where it is too long: first by briefer steps, then in the middle, then at its end.
std::string make_label(std::string_view prefix, const std::vector<Step>& steps);

}  // namespace stagegate
