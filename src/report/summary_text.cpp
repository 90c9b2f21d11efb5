#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"
#include "report/outcome.h"
#include "report/report.h"
#include "report/terminal.h"
#include "report/text_table.h"

namespace stagegate {
namespace {

using Variants = std::vector<const VariantResult*>;

Variants variants_where(const RunResult& result, const std::function<bool(const VariantResult&)>& wanted) {
  Variants found;
  for (const auto& variant : result.variants) {
    if (wanted(variant)) {
      found.push_back(&variant);
    }
  }
  return found;
}

Variants in_state(const RunResult& result, std::initializer_list<VariantState> states) {
  return variants_where(
      result, [&](const VariantResult& variant) { return std::find(states.begin(), states.end(), variant.state) != states.end(); });
}

FindingCounts count_all(const RunResult& result) {
  FindingCounts sum;
  for (const auto& variant : result.variants) {
    const auto counts = count_findings(variant);
    sum.fresh += counts.fresh;
    sum.worse += counts.worse;
    sum.warnings += counts.warnings;
    sum.unjudged += counts.unjudged;
  }
  return sum;
}

std::string variants_table(const RunResult& result, Color color) {
  TextTable table{.columns = {{"", Align::left}, {"", Align::left}, {"", Align::right}, {"", Align::left}}, .rows = {}};
  for (const auto& variant : result.variants) {
    const auto outcome = outcome_of(variant);
    const auto time = variant.duration_ms ? format_duration(std::chrono::milliseconds(*variant.duration_ms)) : "-";
    table.rows.emplace_back(std::vector<TableCell>{
        table_cell(variant_title(variant), Style::bold, color),
        table_cell(outcome.word, outcome.style, color),
        table_cell(time, variant.duration_ms ? Style::plain : Style::dim, color),
        table_cell(outcome.explanation, Style::plain, color),
    });
  }
  return render(table, 0, color);
}

std::string remarks(const std::vector<std::string>& messages, std::string_view word, Style style, Color color) {
  std::string text;
  for (const auto& message : messages) {
    for (const auto& line : clean_lines(message)) {
      text += fmt::format("{}: {}\n", paint(word, style, color), line);
    }
  }
  return text;
}

std::string passed_words(const RunResult& result) {
  const auto counts = count_all(result);
  const auto warnings = counts.warnings == 0 ? std::string() : fmt::format(" ({})", counted(counts.warnings, "warning"));
  return fmt::format("Passed: nothing new or worse in {}{}.", counted(result.variants.size(), "variant"), warnings);
}

std::string first_failing_rule(const Variants& failing) {
  const auto& findings = failing.front()->findings;
  return one_line(std::find_if(findings.begin(), findings.end(), [](const JudgedFinding& judged) { return fails(judged); })->finding.rule);
}

// Without baselines there is nothing to accept a finding into.
std::string way_out(const Variants& failing, std::size_t findings) {
  if (std::all_of(failing.begin(), failing.end(), [](const VariantResult* variant) { return variant->baseline_file.empty(); })) {
    return "what the rule wants: stagegate explain " + first_failing_rule(failing);
  }
  return fmt::format("if {} meant: {}", findings == 1 ? "it is" : "they are", command_for("stagegate baseline accept", failing));
}

std::string regressed_words(const RunResult& result) {
  const auto failing = variants_where(result, [](const VariantResult& variant) { return fails(variant); });
  const auto unclear = variants_where(result, [](const VariantResult& variant) { return variant.state != VariantState::judged; });
  const auto counts = count_all(result);
  const auto findings = counts.fresh + counts.worse;
  const auto also = unclear.empty() ? std::string() : fmt::format(", and {} could not be judged", counted(unclear.size(), "variant"));
  return fmt::format("Failed (exit code 1): {} new or worse{}; {}",
                     findings == 1 ? "1 finding is" : fmt::format("{} findings are", findings), also, way_out(failing, findings));
}

std::string usage_words(const RunResult& result) {
  if (!result.errors.empty()) {
    return fmt::format("Usage error (exit code 2): mend {} above, then check: stagegate validate",
                       result.errors.size() == 1 ? "the error" : "the errors");
  }
  const auto broken = in_state(result, {VariantState::baseline_broken, VariantState::rule_broken});
  return fmt::format("Usage error (exit code 2): mend the rule or baseline file of {}, then: {}", counted(broken.size(), "variant"),
                     command_for("stagegate run", broken));
}

std::string not_judged_words(const RunResult& result) {
  const auto unclear = in_state(result, {VariantState::job_failed, VariantState::no_evidence, VariantState::not_this_variant,
                                         VariantState::interrupted, VariantState::not_started});
  const auto with_output =
      std::find_if(unclear.begin(), unclear.end(), [](const VariantResult* variant) { return !variant->run_dir.empty(); });
  const auto output = with_output == unclear.end() ? std::string() : fmt::format(" (output in {})", one_line((*with_output)->run_dir));
  return fmt::format("Not judged (exit code 3): {} of {} failed or left no whole evidence{}; again: {}", unclear.size(),
                     counted(result.variants.size(), "variant"), output, command_for("stagegate run", unclear));
}

std::string nothing_words(const RunResult& result) {
  if (result.variants.empty()) {
    return "Nothing to check (exit code 4): no job was selected; see what there is: stagegate list";
  }
  const auto idle = in_state(result, {VariantState::nothing_ran});
  return fmt::format("Nothing to check (exit code 4): no stage ran in {}; see what its jobs do: {}", counted(idle.size(), "variant"),
                     command_for("stagegate list", idle));
}

std::string baseline_words(const RunResult& result) {
  const auto missing = in_state(result, {VariantState::no_baseline});
  const auto foreign = in_state(result, {VariantState::not_comparable});
  std::vector<const VariantResult*> both = missing;
  both.insert(both.end(), foreign.begin(), foreign.end());
  std::string why;
  if (!missing.empty()) {
    why = fmt::format("{} without a baseline", counted(missing.size(), "variant"));
  }
  if (!foreign.empty()) {
    why += fmt::format("{}{} under other conditions than the baseline's", why.empty() ? "" : ", ", counted(foreign.size(), "variant"));
  }
  return fmt::format("Not compared (exit code 5): {}; to take this result as the baseline: {}", why,
                     command_for("stagegate baseline accept", both));
}

std::string interrupted_words(const RunResult& result, ExitCode code) {
  const auto rest = variants_where(result, [](const VariantResult& variant) {
    return variant.state == VariantState::interrupted || variant.state == VariantState::not_started;
  });
  const auto again = command_for("stagegate run", rest);
  return fmt::format("Interrupted (exit code {}): {} of {} did not end; {}: {}", static_cast<int>(code), rest.size(),
                     counted(result.variants.size(), "variant"), rest.empty() ? "again" : "the rest", again);
}

struct Conclusion {
  std::string words;
  Style style = Style::plain;
};

// What the exit code means here, and the next command.
Conclusion conclusion_of(const RunResult& result) {
  const auto code = exit_code_of(result);
  switch (code) {
    case ExitCode::passed:
      return {passed_words(result), Style::green};
    case ExitCode::regressed:
      return {regressed_words(result), Style::red};
    case ExitCode::usage:
      return {usage_words(result), Style::red};
    case ExitCode::not_judged:
      return {not_judged_words(result), Style::red};
    case ExitCode::nothing_to_check:
      return {nothing_words(result), Style::yellow};
    case ExitCode::baseline_trouble:
      return {baseline_words(result), Style::yellow};
    case ExitCode::internal:
      return {"Internal error (exit code 70): please report it with the text above.", Style::red};
    case ExitCode::output_failed:
      return {"Passed, but a report could not be written (exit code 74): see above, then: stagegate run", Style::red};
    case ExitCode::interrupted:
    case ExitCode::terminated:
      return {interrupted_words(result, code), Style::yellow};
  }
  return {};
}

}  // namespace

std::string render_summary_text(const RunResult& result, Color color) {
  std::string text = variants_table(result, color);
  text += remarks(result.notices, "note", Style::dim, color);
  text += remarks(result.errors, "error", Style::red, color);
  const auto conclusion = conclusion_of(result);
  return text + paint(conclusion.words, conclusion.style, color) + '\n';
}

}  // namespace stagegate
