// A rule is data: a TOML file with an expression that says when it fires and one that says how bad it is (design 6, docs/rules.md).
//
// Expressions are muParser's, with our names defined and everything else refused: numbers, + - * / ( ), comparisons, &&, ||, !, min(),
// max() and the names that rules/names.h lists (rules/expression_check.h has the grammar, rules/expression.h the arithmetic). A metric
// that a stage does not have is unknown, not zero: what is computed from it is unknown, `&&` and `||` follow three-valued logic, and a
// rule fires only where `when` is certainly true. Division by zero that decides the result is an error of the rule, and so is a `value`
// that is unknown where the rule fires.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/finding.h"
#include "model/metric.h"
#include "rules/problems.h"

namespace stagegate {

enum class RuleScope : std::uint8_t { stage, run };

enum class ParameterUnit : std::uint8_t { ratio, bytes, count };

struct RuleParameter {
  std::string name;
  ParameterUnit unit = ParameterUnit::ratio;
  double value = 0;  // the default; bytes for sizes
  std::string help;
};

// A stage (or, for scope run, the sums of a run) written out in the rule file, and whether the rule fires on it.
struct RuleTest {
  std::string name;
  bool fires = false;
  std::optional<double> value;               // where given, what `value` must come to
  std::map<std::string, double> names;       // every name of the expression that is known, distributions already taken
  std::map<std::string, double> parameters;  // over the defaults
  std::uint32_t line = 0;
};

struct Rule {
  std::string id;
  RuleScope scope = RuleScope::stage;
  Level level = Level::error;
  std::string title;    // a few words
  std::string summary;  // what it says, in a sentence
  std::string why;      // why it matters
  std::string hint;     // what to try first, in a sentence or two: stands with every finding; "": the advice does
  std::string advice;   // what to do, in full: for `explain`
  std::string message;  // rules/message_template.h; bytes and counts are printed with their unit
  std::string when;
  std::string value;
  ValueUnit unit = ValueUnit::ratio;
  std::int64_t tolerance_thousandths = 0;
  bool first_only = false;          // of scope stage: silenced on stages that rest on one on which it fired
  std::vector<std::string> unless;  // rules that, where they fired on the same stage, silence this one
  std::vector<Place> unless_at;     // where each of them stands
  std::vector<RuleParameter> parameters;
  std::vector<RuleTest> tests;
  std::string file;  // "rules/skew.toml" for built-in ones
  Place at;          // of the id
};

// Parses and checks one rule file: keys, types, units, names in expressions and message, and that it has tests that fire and tests that do
// not. All errors at once, each with FILE:line:col. It does not run the tests. Kind: usage.
Result<Rule> parse_rule(std::string_view text, const std::string& file);

// One of builtin_rule_files(), without its tests, which run when stagegate is built and are most of its text.
Result<Rule> parse_builtin_rule(std::string_view text, const std::string& file);

// Runs the rule's own tests; the error names each that fails, with what was expected and what came out. Kind: usage.
Status run_rule_tests(const Rule& rule);

struct RuleFile {
  std::string name;  // "rules/skew.toml"
  std::string text;
};

// The files of rules/, embedded, in the order in which they are judged and shown.
std::span<const RuleFile> builtin_rule_files();

// Built-in rules and a user's (rules_dir): a file with the id of a built-in rule takes its place, the others follow. Two of the user's
// files with one id, and an `unless` that names no rule of the same scope, are errors. Tests are run. All errors of all files at once.
// Kind: usage.
Result<std::vector<Rule>> load_rules(std::span<const RuleFile> users, int threads = 1);

// `explain`: what the rule says, its parameters, why, what to do, as text for a terminal.
std::string explain(const Rule& rule);

}  // namespace stagegate
