// What may stand in a rule's expression, checked before muParser sees it, so that every mistake has its place and its way out.
//
//   numbers      5, 0.1 (no exponent: `1e3` is no number)
//   operators    - ! (before a value)   * /   + -   < <= > >= == !=   &&   ||   from the tightest to the loosest
//   functions    min(a, b, ...), max(a, b, ...)
//   names        of rules/names.h, and the rule's parameters
//
// Everything else is refused: assignment, texts, the ternary operator, other functions, and chained comparisons, since `0 < a < 5`
// would always be true.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace stagegate {

struct ExpressionProblem {
  std::size_t offset = 0;  // in bytes, into the expression
  std::string message;
};

// What is wrong with a name: "unknown name 'x'; did you mean 'y'?"; "" where it is fine.
using NameCheck = std::function<std::string(std::string_view name)>;

// All unknown names, and the first mistake of grammar. Empty: muParser will take it.
std::vector<ExpressionProblem> check_expression(std::string_view text, const NameCheck& name_problem);

// The names (not the functions) of an expression, each once, in order of appearance.
std::vector<std::string> names_in_expression(std::string_view text);

}  // namespace stagegate
