#include <algorithm>

#include <fmt/format.h>

#include "app/commands.h"
#include "app/console.h"
#include "app/project.h"
#include "base/text.h"

namespace stagegate {
namespace {

int list_rules(const std::vector<Rule>& rules) {
  for (const auto& rule : rules) {
    print_result(fmt::format("{:<14} {:<8} {}\n", rule.id, to_string(rule.level), rule.title));
  }
  print_result("\n'stagegate explain RULE' says more.\n");
  return 0;
}

Error unknown_rule(const std::vector<Rule>& rules, const std::string& id) {
  std::vector<std::string> known;
  for (const auto& rule : rules) {
    known.push_back(rule.id);
  }
  const auto hint = did_you_mean(id, known);
  return {ErrorKind::usage, fmt::format("there is no rule '{}'{}", id, hint.empty() ? "; there are " + join(known, ", ") : hint)};
}

}  // namespace

int explain_command(const ExplainOptions& options) {
  const auto rules = load_rules_of(options.common);
  if (!rules) {
    return report_error(rules.error());
  }
  if (options.rule.empty()) {
    return list_rules(*rules);
  }
  const auto rule = std::find_if(rules->begin(), rules->end(), [&](const Rule& candidate) { return candidate.id == options.rule; });
  if (rule == rules->end()) {
    return report_error(unknown_rule(*rules, options.rule));
  }
  print_result(explain(*rule));
  return 0;
}

}  // namespace stagegate
