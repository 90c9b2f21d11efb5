#include "report/outcome.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace stagegate {
namespace {

void count(FindingCounts& counts, const JudgedFinding& judged) {
  const bool failing = fails(judged);
  switch (judged.state) {
    case FindingState::new_finding:
      ++(failing ? counts.fresh : counts.warnings);
      return;
    case FindingState::worse:
      ++(failing ? counts.worse : counts.warnings);
      return;
    case FindingState::known:
      ++counts.known;
      return;
    case FindingState::suppressed:
      ++counts.suppressed;
      return;
    case FindingState::unjudged:
      ++counts.unjudged;
      return;
  }
}

Style style_of(VariantState state) {
  switch (state) {
    case VariantState::judged:
      return Style::green;
    case VariantState::job_failed:
    case VariantState::no_evidence:
    case VariantState::not_this_variant:
    case VariantState::baseline_broken:
    case VariantState::rule_broken:
      return Style::red;
    case VariantState::no_baseline:
    case VariantState::not_comparable:
    case VariantState::nothing_ran:
    case VariantState::interrupted:
    case VariantState::not_started:
      return Style::yellow;
  }
  return Style::plain;
}

std::string words_of(VariantState state) {
  std::string words(to_string(state));
  std::replace(words.begin(), words.end(), '-', ' ');
  return words;
}

std::string explain_state(const VariantResult& result) {
  std::vector<std::string> parts;
  if (auto reason = one_line(result.reason); !reason.empty()) {
    parts.push_back(std::move(reason));
  }
  if (!result.findings.empty()) {
    parts.push_back(counts_text(count_findings(result)));
  }
  return join(parts, "; ");
}

void add_option(std::string& command, std::string_view option, const std::string& name) {
  const auto addition = fmt::format(" {} {}", option, one_line(name));
  if ((command + ' ').find(addition + ' ') == std::string::npos) {
    command += addition;
  }
}

}  // namespace

FindingCounts count_findings(const VariantResult& result) {
  FindingCounts counts;
  for (const auto& finding : result.findings) {
    count(counts, finding);
  }
  counts.gone = result.gone.size();
  return counts;
}

std::string counts_text(const FindingCounts& counts) {
  std::vector<std::string> parts;
  const auto add = [&](std::size_t number, std::string_view word) {
    if (number > 0) {
      parts.push_back(fmt::format("{} {}", number, word));
    }
  };
  add(counts.fresh, "new");
  add(counts.worse, "worse");
  add(counts.warnings, counts.warnings == 1 ? "warning" : "warnings");
  add(counts.known, "known");
  add(counts.suppressed, "suppressed");
  add(counts.unjudged, "not judged");
  add(counts.gone, "gone");
  return parts.empty() ? "no findings" : join(parts, ", ");
}

bool fails(const VariantResult& result) {
  return std::any_of(result.findings.begin(), result.findings.end(), [](const JudgedFinding& finding) { return fails(finding); });
}

Outcome outcome_of(const VariantResult& result) {
  if (result.state != VariantState::judged) {
    return {.word = words_of(result.state), .style = style_of(result.state), .explanation = explain_state(result)};
  }
  const bool failing = fails(result);
  return {.word = failing ? "regressed" : "passed",
          .style = failing ? Style::red : Style::green,
          .explanation = counts_text(count_findings(result))};
}

std::string variant_title(const VariantResult& result) {
  return fmt::format("{} / {}", one_line(result.job), one_line(result.variant));
}

std::string command_for(std::string_view command, std::span<const VariantResult* const> variants) {
  std::string text(command);
  for (const auto* variant : variants) {
    add_option(text, "--job", variant->job);
  }
  for (const auto* variant : variants) {
    add_option(text, "--variant", variant->variant);
  }
  return text;
}

std::string accept_command(const VariantResult& result) {
  const VariantResult* const one = &result;
  return command_for("stagegate baseline accept", {&one, 1});
}

}  // namespace stagegate
