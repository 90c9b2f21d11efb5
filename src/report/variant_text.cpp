#include <chrono>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units.h"
#include "report/finding_text.h"
#include "report/outcome.h"
#include "report/report.h"
#include "report/terminal.h"
#include "report/unstable_text.h"

namespace stagegate {
namespace {

constexpr std::size_t kTextWidth = 100;
constexpr std::size_t kIndent = 2;

std::string indented(std::size_t levels, std::string_view line) {
  return line.empty() ? "\n" : fmt::format("{:{}}{}\n", "", levels * kIndent, line);
}

std::string title_line(const VariantResult& result, Color color) {
  const auto outcome = outcome_of(result);
  auto line = fmt::format("{}: {}", paint(variant_title(result), Style::bold, color), paint(outcome.word, outcome.style, color));
  if (!outcome.explanation.empty()) {
    line += ", " + outcome.explanation;
  }
  if (result.duration_ms) {
    line += fmt::format(" ({})", format_duration(std::chrono::milliseconds(*result.duration_ms)));
  }
  return line + '\n';
}

// Only what fails is red and yellow in the table: accepted and suppressed flags are shown plain.
std::vector<Finding> flags_for_table(const VariantResult& result) {
  std::vector<Finding> flags;
  for (const auto& judged : result.findings) {
    flags.push_back(judged.finding);
    if (judged.state == FindingState::known || judged.state == FindingState::suppressed) {
      flags.back().level = Level::off;
    }
  }
  return flags;
}

std::string table_text(const VariantResult& result, Color color) {
  if (!result.application) {
    return {};
  }
  return render_stage_table(*result.application, result.stages, flags_for_table(result), {.color = color, .indent = kIndent});
}

std::string detail_text(const VariantResult& result) {
  std::string text;
  for (const auto& line : clean_lines(result.detail)) {
    text += indented(1, without_ci_commands(line));
  }
  return text;
}

// Rules whose advice has been given: it is given once a variant.
using Advised = std::set<std::string>;

std::string full_finding(const VariantResult& result, const JudgedFinding& judged, Advised& advised, Color color) {
  const auto& finding = judged.finding;
  const bool failing = fails(judged);
  const auto flag = paint(flag_text(finding), failing ? Style::red : Style::yellow, color);
  std::string text = indented(2, fmt::format("{}{}  {}", flag, level_note(finding), place_text(finding)));
  text += indented(3, one_line(finding.message));
  const auto owner = result.owner.empty() ? std::string() : fmt::format("; owner {}", one_line(result.owner));
  text += indented(3, standing_text(result, judged) + owner);
  if (advised.insert(finding.rule).second) {
    for (const auto& line : wrap(finding.advice, kTextWidth)) {
      text += indented(3, line);
    }
  }
  return text;
}

std::string short_finding(const JudgedFinding& judged) {
  const auto& finding = judged.finding;
  auto head = fmt::format("{}  {}", flag_text(finding), place_text(finding));
  switch (judged.state) {
    case FindingState::known:
      return judged.accepted_thousandths && *judged.accepted_thousandths != finding.value_thousandths
                 ? fmt::format("{}  ({})", head, change_text(*judged.accepted_thousandths, finding.value_thousandths, finding.unit))
                 : head;
    case FindingState::suppressed:
      return fmt::format("{}  ({})", head, one_line(judged.suppression_reason));
    case FindingState::new_finding:
    case FindingState::worse:
    case FindingState::unjudged:
      return head;
  }
  return head;
}

bool is_short(FindingState state) {
  return state == FindingState::known || state == FindingState::suppressed;
}

std::string group_text(const VariantResult& result, FindingState state, Advised& advised, Color color) {
  std::string text;
  for (const auto& judged : result.findings) {
    if (judged.state == state) {
      text += is_short(state) ? indented(2, short_finding(judged)) : full_finding(result, judged, advised, color);
    }
  }
  const auto heading = state == FindingState::unjudged ? std::string_view("not judged") : to_string(state);
  return text.empty() ? text : indented(1, paint(heading, Style::bold, color)) + text;
}

std::string gone_text(const VariantResult& result, Color color) {
  if (result.gone.empty()) {
    return {};
  }
  std::string text = indented(1, paint("gone", Style::bold, color));
  for (const auto& gone : result.gone) {
    const auto place = gone.stage_label.empty() ? std::string("the whole run") : one_line(gone.stage_label);
    text += indented(2, fmt::format("{} {}  {}", one_line(gone.rule), format_value(gone.accepted_thousandths, gone.unit), place));
  }
  return text;
}

std::string findings_text(const VariantResult& result, Color color) {
  Advised advised;
  std::string text;
  for (const auto state :
       {FindingState::new_finding, FindingState::worse, FindingState::unjudged, FindingState::known, FindingState::suppressed}) {
    text += group_text(result, state, advised, color);
  }
  return text + gone_text(result, color);
}

std::string unstable_block(const VariantResult& result, Color color) {
  if (result.unstable.empty()) {
    return {};
  }
  const auto heading = fmt::format("unstable: not the same in each of the {} runs", result.runs);
  std::string text = indented(1, paint(heading, Style::bold, color));
  for (const auto& line : unstable_lines(result)) {
    text += indented(2, line);
  }
  return text;
}

}  // namespace

std::string render_variant_text(const VariantResult& result, Color color) {
  std::vector<std::string> blocks{table_text(result, color), detail_text(result), findings_text(result, color),
                                  unstable_block(result, color)};
  std::erase(blocks, "");
  return title_line(result, color) + join(blocks, "\n");
}

}  // namespace stagegate
