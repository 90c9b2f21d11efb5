#include "report/finding_text.h"

#include <set>

#include <fmt/format.h>

#include "base/units.h"
#include "report/terminal.h"

namespace stagegate {
namespace {

constexpr std::size_t kTextWidth = 100;

std::string exact_value(std::int64_t thousandths, ValueUnit unit) {
  if (unit == ValueUnit::bytes) {
    return format_bytes_exact(thousandths / 1000);
  }
  auto digits = fmt::format("{}.{:03}", thousandths / 1000, thousandths % 1000);
  switch (unit) {
    case ValueUnit::ratio:
      return digits + "x";
    case ValueUnit::percent:
      return digits + " %";
    case ValueUnit::count:
    case ValueUnit::bytes:
      return digits;
  }
  return digits;
}

std::string in_baseline(const VariantResult& result) {
  return result.baseline_file.empty() ? std::string() : " in " + one_line(result.baseline_file);
}

std::string new_text(const VariantResult& result) {
  return result.baseline_file.empty() ? "counts as new: no baselines are used" : "new: not in " + one_line(result.baseline_file);
}

std::string worse_text(const VariantResult& result, const JudgedFinding& judged) {
  const auto& finding = judged.finding;
  const auto change = change_text(judged.accepted_thousandths.value_or(0), finding.value_thousandths, finding.unit);
  const auto tolerance = finding.tolerance_thousandths == 0
                             ? std::string()
                             : fmt::format(" (tolerance {})", format_value(finding.tolerance_thousandths * 100, ValueUnit::percent));
  return fmt::format("worse than accepted{}: {}{}", in_baseline(result), change, tolerance);
}

std::string known_text(const VariantResult& result, const JudgedFinding& judged) {
  const auto accepted = format_value(judged.accepted_thousandths.value_or(judged.finding.value_thousandths), judged.finding.unit);
  return fmt::format("known: accepted at {}{}", accepted, in_baseline(result));
}

std::string unjudged_text(const VariantResult& result) {
  return result.state == VariantState::not_comparable ? "not judged: the baseline is not comparable"
                                                      : "not judged: there is no baseline to call it new or known";
}

enum class Advice : std::uint8_t { left_out, given };

std::string finding_paragraph(const Finding& finding, Advice advice, Color color) {
  const auto style = finding.level == Level::error ? Style::red : Style::yellow;
  std::string text = fmt::format("{}{}  {}\n", paint(flag_text(finding), style, color), level_note(finding), place_text(finding));
  text += fmt::format("  {}\n", one_line(finding.message));
  if (advice == Advice::given) {
    for (const auto& line : wrap(finding.advice, kTextWidth)) {
      text += fmt::format("  {}\n", line);
    }
  }
  return text;
}

}  // namespace

std::string flag_text(const Finding& finding) {
  return fmt::format("{} {}", one_line(finding.rule), format_value(finding.value_thousandths, finding.unit));
}

std::string level_note(const Finding& finding) {
  return finding.level == Level::error ? std::string() : fmt::format(" ({})", to_string(finding.level));
}

std::string place_text(const Finding& finding) {
  const auto runs =
      finding.fired_runs < finding.runs ? fmt::format(" (in {} of {} runs)", finding.fired_runs, finding.runs) : std::string();
  if (finding.stage_id < 0) {
    return (finding.stage_label.empty() ? "the whole run" : one_line(finding.stage_label)) + runs;
  }
  return fmt::format("stage {}: {}{}", finding.stage_id, one_line(finding.stage_label), runs);
}

std::string findings_text(std::span<const Finding> findings, Color color) {
  std::string text = paint(counted(findings.size(), "finding"), Style::bold, color) + '\n';
  std::set<std::string> advised;
  for (const auto& finding : findings) {
    text += finding_paragraph(finding, advised.insert(finding.rule).second ? Advice::given : Advice::left_out, color);
  }
  return text;
}

std::string change_text(std::int64_t was_thousandths, std::int64_t now_thousandths, ValueUnit unit) {
  auto was = format_value(was_thousandths, unit);
  auto now = format_value(now_thousandths, unit);
  if (was == now && was_thousandths != now_thousandths) {
    was = exact_value(was_thousandths, unit);
    now = exact_value(now_thousandths, unit);
  }
  return fmt::format("{} -> {}", was, now);
}

std::string standing_text(const VariantResult& result, const JudgedFinding& finding) {
  switch (finding.state) {
    case FindingState::new_finding:
      return new_text(result);
    case FindingState::worse:
      return worse_text(result, finding);
    case FindingState::known:
      return known_text(result, finding);
    case FindingState::suppressed:
      return "suppressed: " + one_line(finding.suppression_reason);
    case FindingState::unjudged:
      return unjudged_text(result);
  }
  return {};
}

}  // namespace stagegate
