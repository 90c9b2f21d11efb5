#include "report/junit_cases.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "report/finding_text.h"
#include "report/outcome.h"
#include "report/terminal.h"
#include "report/unstable_text.h"

namespace stagegate {
namespace {

constexpr std::size_t kMaxMessageWidth = 500;
constexpr std::string_view kRunCase = "run";

using Findings = std::vector<const JudgedFinding*>;

Findings findings_where(const Findings& findings, bool (*wanted)(const JudgedFinding&)) {
  Findings found;
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(found), [&](const JudgedFinding* judged) { return wanted(*judged); });
  return found;
}

bool is_settled(const JudgedFinding& judged) {
  return judged.state == FindingState::known || judged.state == FindingState::suppressed;
}

Findings findings_of(const VariantResult& result, const std::string& rule) {
  Findings found;
  for (const auto& judged : result.findings) {
    if (judged.finding.rule == rule) {
      found.push_back(&judged);
    }
  }
  return found;
}

// The rules that were looked at, and any other that has a finding all the same: none may be lost.
std::vector<std::string> rules_of(const VariantResult& result) {
  auto rules = result.rules;
  for (const auto& judged : result.findings) {
    if (std::find(rules.begin(), rules.end(), judged.finding.rule) == rules.end()) {
      rules.push_back(judged.finding.rule);
    }
  }
  return rules;
}

// "skew 412x (new) at stage 3: join orders: the largest task reads ..."
std::string sentence(const JudgedFinding& judged) {
  const auto& finding = judged.finding;
  return fmt::format("{} ({}) at {}: {}", flag_text(finding), to_string(judged.state), place_text(finding), one_line(finding.message));
}

// What follows the first of COUNT.
std::string and_more(std::size_t count) {
  return count > 1 ? fmt::format(" (and {} more)", count - 1) : std::string();
}

std::string paragraph(const VariantResult& result, const JudgedFinding& judged) {
  const auto& finding = judged.finding;
  return fmt::format("{} ({})\n{}\n{}\n{}\n", flag_text(finding), to_string(finding.level), place_text(finding), one_line(finding.message),
                     standing_text(result, judged));
}

std::string paragraphs(const VariantResult& result, const Findings& findings) {
  std::vector<std::string> texts;
  for (const auto* judged : findings) {
    texts.push_back(paragraph(result, *judged));
  }
  return join(texts, "\n");
}

// Findings of one rule usually share their advice: it is given once.
std::string advice_of(const Findings& findings) {
  std::vector<std::string> advice;
  for (const auto* judged : findings) {
    const auto& text = judged->finding.advice;
    if (!text.empty() && std::find(advice.begin(), advice.end(), text) == advice.end()) {
      advice.push_back(text);
    }
  }
  return advice.empty() ? std::string() : "\n" + join(advice, "\n") + "\n";
}

std::string failure_body(const VariantResult& result, const Findings& findings) {
  auto body = paragraphs(result, findings) + advice_of(findings);
  if (!result.owner.empty()) {
    body += fmt::format("\nowner: {}\n", one_line(result.owner));
  }
  if (!result.baseline_file.empty()) {
    body += fmt::format("\nif this is meant: {}\n", accept_command(result));
  }
  return body;
}

std::string state_message(const VariantResult& result) {
  return result.reason.empty() ? outcome_of(result).word : result.reason;
}

std::string not_judged_message(const VariantResult& result) {
  return one_line("not judged: " + state_message(result), kMaxMessageWidth);
}

// A user's rule may be called "run" too.
std::string case_name(const std::string& rule) {
  return rule == kRunCase ? "rule run" : one_line(rule);
}

void fail_case(JunitCase& test, const VariantResult& result, const Findings& findings, const Findings& failing) {
  test.end = CaseEnd::failure;
  test.type = failing.front()->finding.rule;
  test.message = one_line(sentence(*failing.front()), kMaxMessageWidth) + and_more(failing.size());
  test.body = failure_body(result, failing);
  test.output = paragraphs(result, findings_where(findings, [](const JudgedFinding& judged) { return !fails(judged); }));
}

void skip_case(JunitCase& test, const VariantResult& result, std::string message, const Findings& findings) {
  test.end = CaseEnd::skipped;
  test.message = std::move(message);
  test.body = findings.empty() ? test.message : paragraphs(result, findings);
}

void skip_settled(JunitCase& test, const VariantResult& result, const Findings& findings) {
  const auto& first = *findings.front();
  const auto message = fmt::format("{} at {}: {}", flag_text(first.finding), place_text(first.finding), standing_text(result, first));
  skip_case(test, result, one_line(message, kMaxMessageWidth) + and_more(findings.size()), findings);
}

JunitCase rule_case(const VariantResult& result, const std::string& rule) {
  JunitCase test;
  test.name = case_name(rule);
  const auto findings = findings_of(result, rule);
  const auto failing = findings_where(findings, [](const JudgedFinding& judged) { return fails(judged); });
  if (!failing.empty()) {
    fail_case(test, result, findings, failing);
  } else if (result.state != VariantState::judged) {
    skip_case(test, result, not_judged_message(result), findings);
  } else if (!findings.empty() && std::all_of(findings.begin(), findings.end(), [](const auto* judged) { return is_settled(*judged); })) {
    skip_settled(test, result, findings);
  } else {
    test.output = paragraphs(result, findings);
  }
  return test;
}

std::string error_body(const VariantResult& result) {
  std::vector<std::string> lines{state_message(result)};
  if (!result.detail.empty()) {
    lines.emplace_back(result.detail.substr(0, result.detail.find_last_not_of('\n') + 1));
  }
  if (!result.run_dir.empty()) {
    lines.push_back("output: " + result.run_dir);
  }
  return join(lines, "\n");
}

JunitCase run_case(const VariantResult& result) {
  JunitCase test;
  test.name = kRunCase;
  test.duration_ms = std::max<std::int64_t>(0, result.duration_ms.value_or(0));
  if (result.state != VariantState::judged) {
    test.end = CaseEnd::error;
    test.type = to_string(result.state);
    test.message = one_line(state_message(result), kMaxMessageWidth);
    test.body = error_body(result);
  }
  if (!result.unstable.empty()) {
    test.output = fmt::format("not the same in each of the {} runs:\n{}\n", result.runs, join(unstable_lines(result), "\n"));
  }
  return test;
}

JunitSuite variant_suite(const VariantResult& result) {
  JunitSuite suite;
  suite.name = one_line(result.job + "/" + result.variant);
  suite.started_ms = result.started_ms;
  suite.at = result.at;
  if (result.application && result.application->spark_version) {
    suite.properties.emplace_back("spark.version", *result.application->spark_version);
  }
  if (!result.baseline_file.empty()) {
    suite.properties.emplace_back("baseline", result.baseline_file);
  }
  if (!result.owner.empty()) {
    suite.properties.emplace_back("owner", result.owner);
  }
  suite.cases.push_back(run_case(result));
  for (const auto& rule : rules_of(result)) {
    suite.cases.push_back(rule_case(result, rule));
  }
  return suite;
}

// What is wrong with the run as a whole.
JunitSuite whole_run_suite(const RunResult& result) {
  const std::string why = result.interrupt_signal ? "interrupted before anything ran" : "nothing was selected";
  JunitCase test;
  test.name = kRunCase;
  test.end = CaseEnd::error;
  test.type = to_string(exit_code_of(result));
  test.body = result.errors.empty() ? why : join(result.errors, "\n");
  test.message = first_line(test.body, kMaxMessageWidth) + and_more(result.errors.size());
  JunitSuite suite;
  suite.name = "stagegate";
  suite.cases.push_back(std::move(test));
  return suite;
}

}  // namespace

std::vector<JunitSuite> junit_suites(const RunResult& result) {
  std::vector<JunitSuite> suites;
  if (result.variants.empty() || !result.errors.empty()) {
    suites.push_back(whole_run_suite(result));
  }
  for (const auto& variant : result.variants) {
    suites.push_back(variant_suite(variant));
  }
  return suites;
}

}  // namespace stagegate
