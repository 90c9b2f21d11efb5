// Operators of a physical plan in normal form: what they do, without what Spark numbers anew in each run or writes otherwise in each
// version.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stagegate {

// "GpuFilter" -> "Filter": an accelerated operator does the same work.
std::string_view without_accelerator(std::string_view name);

// The `simpleString` of a node without expression and plan ids, object hashes, lambda numbers, seeds, numbers of partitions and splits,
// elements that Spark cut off with "...", the flags that 4.3 appends to join nodes, dates, UUIDs, and all of a path but its place_name().
std::string normal_text(std::string_view simple_string);

// "[a, f(b, c)]" or "a, f(b, c)" -> "a", "f(b, c)": cut at the commas outside of brackets.
std::vector<std::string> elements_of(std::string_view list);

// What follows the operator's name: "Join [x], [y], Inner" -> "[x]", "[y]", "Inner"; "TakeOrdered(limit=3, by=[a])" -> "limit=3", "by=[a]".
std::vector<std::string> arguments_of(std::string_view normal_text);

}  // namespace stagegate
