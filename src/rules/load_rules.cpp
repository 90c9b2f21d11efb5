#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "base/work_together.h"
#include "rules/rule.h"

namespace stagegate {
namespace {

using ParseRule = Result<Rule>(std::string_view text, const std::string& file);

// The rules of FILES; a file that does not parse adds its errors and no rule.
std::vector<Rule> parse_all(std::span<const RuleFile> files, ParseRule& parse, int threads, std::vector<std::string>& errors) {
  std::vector<Result<Rule>> parsed(files.size());
  work_together(files.size(), threads, [&](std::size_t i) { parsed[i] = parse(files[i].text, files[i].name); });
  std::vector<Rule> rules;
  for (auto& rule : parsed) {
    if (rule) {
      rules.push_back(*std::move(rule));
    } else {
      errors.push_back(rule.error().message);
    }
  }
  return rules;
}

std::string place(const Rule& rule, Place at) {
  return fmt::format("{}:{}:{}", rule.file, at.line, at.column);
}

std::vector<Rule>::iterator find_rule(std::vector<Rule>& rules, const std::string& id) {
  return std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.id == id; });
}

void refuse_equal_ids(std::vector<Rule>& rules, std::vector<std::string>& errors) {
  for (const auto& rule : rules) {
    const auto first = find_rule(rules, rule.id);
    if (&*first != &rule) {
      errors.push_back(fmt::format("{}: the id '{}' is that of {}, too", place(rule, rule.at), rule.id, place(*first, first->at)));
    }
  }
}

void lay_over(std::vector<Rule>& rules, const std::vector<Rule>& users) {
  for (const auto& user : users) {
    const auto replaced = find_rule(rules, user.id);
    if (replaced == rules.end()) {
      rules.push_back(user);
    } else {
      *replaced = user;
    }
  }
}

std::string unless_mistake(std::vector<Rule>& rules, const Rule& rule, const std::string& id) {
  const auto other = find_rule(rules, id);
  if (other == rules.end()) {
    std::vector<std::string> ids;
    std::transform(rules.begin(), rules.end(), std::back_inserter(ids), [](const Rule& one) { return one.id; });
    return fmt::format("'unless' names the unknown rule '{}'{}", id, did_you_mean(id, ids));
  }
  if (other->scope != rule.scope) {
    return fmt::format("'unless' names '{}', which has another scope, so the two never meet", id);
  }
  return {};
}

void check_unless(std::vector<Rule>& rules, std::vector<std::string>& errors) {
  for (const auto& rule : rules) {
    for (std::size_t i = 0; i < rule.unless.size(); ++i) {
      if (const auto mistake = unless_mistake(rules, rule, rule.unless[i]); !mistake.empty()) {
        errors.push_back(fmt::format("{}: {}", place(rule, rule.unless_at[i]), mistake));
      }
    }
  }
}

void run_tests(const std::vector<Rule>& rules, std::vector<std::string>& errors) {
  for (const auto& rule : rules) {
    if (const auto status = run_rule_tests(rule); !status) {
      errors.push_back(status.error().message);
    }
  }
}

}  // namespace

Result<std::vector<Rule>> load_rules(std::span<const RuleFile> users, int threads) {
  std::vector<std::string> errors;
  auto rules = parse_all(builtin_rule_files(), parse_builtin_rule, threads, errors);
  auto own = parse_all(users, parse_rule, threads, errors);
  refuse_equal_ids(own, errors);
  const bool all_parsed = errors.empty();
  lay_over(rules, own);
  if (all_parsed) {
    check_unless(rules, errors);  // a rule that did not parse may be the one that is named
  }
  run_tests(own, errors);
  if (!errors.empty()) {
    return fail(ErrorKind::usage, join(errors, "\n"));
  }
  return rules;
}

}  // namespace stagegate
