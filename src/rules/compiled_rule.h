// A rule whose expressions are parsed and whose parameters are set: to be held against many stages.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "rules/expression.h"
#include "rules/message_template.h"
#include "rules/names.h"
#include "rules/rule.h"
#include "rules/text_names.h"

namespace stagegate {

// The parameters' values by name.
using Parameters = std::map<std::string, double>;

// The rule's own ones.
Parameters default_parameters(const Rule& rule);

class CompiledRule {
 public:
  // What a name stands for on the stage in question; NaN where that is unknown.
  using Values = std::function<double(const NameInfo& name)>;
  // What a text is on it; "" where there is nothing to say.
  using Texts = std::function<std::string(TextName name)>;

  // RULE is not copied. PARAMETERS holds every parameter of the rule.
  static Result<CompiledRule> compile(const Rule& rule, Parameters parameters);

  // The errors of these say what is wrong, without file and stage: "'when' divides by zero".
  // Whether `when` is certainly true.
  Result<bool> fires(const Values& values);
  // How bad it is, where the rule fires; unknown is an error.
  Result<double> value(const Values& values);

  // Whether one of its expressions uses a name that rests on the accepted run.
  bool compares_with_baseline() const;
  // The same of names that begin with `runs`.
  bool compares_runs() const;

  std::string message(const Values& values, const Texts& texts, double value) const;

 private:
  // An expression and where each of its names comes from; null for a parameter, which is set already.
  struct Bound {
    Expression expression;
    std::vector<const NameInfo*> names;
  };

  CompiledRule(const Rule& rule, Parameters parameters, Bound when, Bound value);
  static Result<Bound> bind(const std::string& text, const Rule& rule, const Parameters& parameters);
  static Result<double> evaluate(Bound& bound, const char* key, const Values& values);
  PrintedValue print(const std::string& name, const Values& values, const Texts& texts, double value) const;

  const Rule* rule_;
  Parameters parameters_;
  Bound when_;
  Bound value_;
  MessageTemplate message_;
};

// llround(1000 * VALUE), clamped to 64 bits.
std::int64_t thousandths_of(double value);

}  // namespace stagegate
