// The texts that a rule's message may quote beside its numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/names.h"
#include "rules/rule.h"

namespace stagegate {

// In messages only; by scope:
//
//   scope stage   joins       the shuffled joins of the stage
//                 repeated    what it reads again, though an earlier stage has read it
//                 caches      the cached tables and RDDs that it filled in vain
//   scope run     left_group, left_group.first, left_group.last    a job group that was left set, its first and its last action
enum class TextName : std::uint8_t { joins, repeated, caches, left_group, left_group_first, left_group_last };

// The names of texts in the order of the table above, by scope.
std::vector<std::string> text_names_of(RuleScope scope);

std::optional<TextName> find_text_name(RuleScope scope, std::string_view name);

// "" where there is nothing to say.
std::string text_of(TextName name, const Subject& subject);

}  // namespace stagegate
