#include "app/review_screen.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/review_words.h"
#include "app/stage_changes.h"
#include "base/text.h"
#include "report/finding_text.h"
#include "report/terminal.h"

namespace stagegate {
namespace {

constexpr std::size_t kNarrowest = 20;
constexpr std::size_t kWidest = 100;
constexpr std::string_view kIndent = "  ";

std::size_t text_width(const ReviewLook& look) {
  return std::clamp(look.width, kNarrowest, kWidest);
}

const Rule* find_rule(const std::string& id, std::span<const Rule> rules) {
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.id == id; });
  return found == rules.end() ? nullptr : &*found;
}

// Lines of at most the terminal's width, indented.
std::string paragraph(std::string_view text, const ReviewLook& look) {
  std::string lines;
  for (const auto& line : wrap(text, text_width(look) - kIndent.size())) {
    lines += fmt::format("{}{}\n", kIndent, line);
  }
  return lines;
}

std::string_view kind_words(ReviewKind kind) {
  switch (kind) {
    case ReviewKind::new_finding:
      return "New finding";
    case ReviewKind::worse:
      return "Worse than accepted";
    case ReviewKind::better:
      return "Better than accepted";
    case ReviewKind::gone:
      return "Gone";
    case ReviewKind::totals:
      return "Other changes";
    case ReviewKind::new_baseline:
      return "No baseline yet";
    case ReviewKind::whole:
      return "Not comparable";
  }
  return {};
}

Style style_of(ReviewKind kind) {
  switch (kind) {
    case ReviewKind::new_finding:
    case ReviewKind::worse:
      return Style::red;
    case ReviewKind::better:
    case ReviewKind::gone:
      return Style::green;
    case ReviewKind::totals:
    case ReviewKind::new_baseline:
    case ReviewKind::whole:
      return Style::yellow;
  }
  return Style::plain;
}

std::string value_text(const ReviewItem& item, const Rule* rule) {
  if (!item.accepted) {
    return fmt::format("not accepted -> {}", format_value(item.now->value_thousandths, item.now->unit));
  }
  const auto& accepted = *item.accepted;
  if (!item.now) {
    return fmt::format("{} -> gone", format_value(accepted.value_thousandths, accepted.unit));
  }
  const auto& now = *item.now;
  const auto change = accepted.unit == now.unit ? change_text(accepted.value_thousandths, now.value_thousandths, now.unit)
                                                : fmt::format("{} -> {}", format_value(accepted.value_thousandths, accepted.unit),
                                                              format_value(now.value_thousandths, now.unit));
  const bool says_tolerance = item.kind == ReviewKind::worse && rule != nullptr && rule->tolerance_thousandths > 0;
  return says_tolerance ? fmt::format("{} (tolerance {})", change, format_value(rule->tolerance_thousandths * 100, ValueUnit::percent))
                        : change;
}

std::string rule_text(const ReviewedVariant& variant, const std::string& id, const Rule* rule) {
  const auto level = variant.levels.find(id);
  return fmt::format("{}{}{}{}", one_line(id), level != variant.levels.end() && level->second == Level::warning ? " (warning)" : "",
                     rule == nullptr ? "" : ": ", rule == nullptr ? "" : one_line(rule->title));
}

// A label in front of a text that hangs beside it.
std::string field(std::string_view name, std::string_view text, const ReviewLook& look) {
  constexpr std::size_t kNameWidth = 7;
  const auto first = kIndent.size() + kNameWidth;
  std::string lines;
  for (const auto& line : wrap(text, text_width(look) - first)) {
    lines += fmt::format("{}{:<{}}{}\n", kIndent, lines.empty() ? name : "", kNameWidth, line);
  }
  return lines;
}

std::string what_accepting_does(ReviewKind kind, const std::string& file) {
  switch (kind) {
    case ReviewKind::new_finding:
    case ReviewKind::worse:
      return {};
    case ReviewKind::better:
      return "Accepting it lowers what is accepted, so that the old value fails from then on.";
    case ReviewKind::gone:
      return "Accepting that takes it out of the baseline, so that it fails where it comes back.";
    case ReviewKind::totals:
      return "Accepting makes these the numbers that the next runs are held against: what grew so far passes.";
    case ReviewKind::new_baseline:
      return fmt::format("Accepting makes {} with the numbers of the stages and no finding, so that findings fail as new ones.", file);
    case ReviewKind::whole:
      return fmt::format("Accepting takes the last run's result as a whole, in place of what {} holds.", file);
  }
  return {};
}

std::string finding_body(const ReviewedVariant& variant, const ReviewItem& item, std::span<const Rule> rules, const ReviewLook& look) {
  const auto& finding = finding_of(item);
  const auto* rule = find_rule(finding.rule, rules);
  auto text = field("rule", rule_text(variant, finding.rule, rule), look);
  text += field("stage", stage_name(finding), look);
  text += field("value", value_text(item, rule), look);
  if (can_fail(item.kind) && rule != nullptr) {
    text += "\n" + paragraph(one_line(rule->hint.empty() ? rule->summary : rule->hint), look);
  }
  return text;
}

// Findings that are known and have other numbers, a line each.
std::vector<std::string> moved_findings(const ReviewPlan& plan, std::size_t variant) {
  std::vector<std::string> lines;
  for (const auto& [before, now] : changed_with_totals(plan, variant)) {
    lines.push_back(fmt::format("{} at {}: {}", one_line(now.rule), stage_name(now),
                                before.value_thousandths == now.value_thousandths
                                    ? "the same value"
                                    : change_text(before.value_thousandths, now.value_thousandths, now.unit) + ", within its tolerance"));
  }
  return lines;
}

// The stages' changes, as many lines as ROOM has, and how many were left out.
std::string stages_body(const std::vector<StageChange>& changes, std::size_t room, const ReviewLook& look) {
  std::string text;
  std::size_t shown = 0;
  for (const auto& change : changes) {
    const auto label = paragraph(change.label, look);
    const auto lines = static_cast<std::size_t>(std::count(label.begin(), label.end(), '\n')) + change.lines.size();
    if (shown > 0 && lines > room) {
      break;
    }
    room -= std::min(room, lines);
    ++shown;
    text += label;
    for (const auto& line : change.lines) {
      text += fmt::format("{}{}{}\n", kIndent, kIndent, line);
    }
  }
  if (shown < changes.size()) {
    text += fmt::format("{}{} more, changed less\n", kIndent, counted(changes.size() - shown, "stage"));
  }
  return text;
}

std::string totals_body(const ReviewPlan& plan, const ReviewItem& item, const ReviewLook& look) {
  constexpr std::size_t kOtherLines = 14;
  const auto& variant = plan.variants[item.variant];
  const auto moved = moved_findings(plan, item.variant);
  const auto room = look.height - std::min(look.height, kOtherLines + moved.size());
  const auto changes = stage_changes(*variant.accepted, variant.pending, variant.links);
  auto text = stages_body(changes, room, look);
  if (changes.empty() && moved.empty()) {
    text +=
        paragraph("No number changed, but what the stages are recognised by: their plans, or what the baseline file keeps of them.", look);
  }
  for (const auto& line : moved) {
    text += paragraph(line, look);
  }
  if (!(variant.accepted->conditions == variant.pending.conditions)) {
    text += paragraph("The run read other sources than the baseline lists; those that both have are the same.", look);
  }
  return text;
}

std::string body(const ReviewPlan& plan, const ReviewItem& item, std::span<const Rule> rules, const ReviewLook& look) {
  const auto& variant = plan.variants[item.variant];
  switch (item.kind) {
    case ReviewKind::new_finding:
    case ReviewKind::worse:
    case ReviewKind::better:
    case ReviewKind::gone:
      return finding_body(variant, item, rules, look);
    case ReviewKind::totals:
      return totals_body(plan, item, look);
    case ReviewKind::new_baseline:
      return paragraph(fmt::format("The last run had {} and {}.", counted(variant.pending.stages.size(), "stage"),
                                   variant.pending.findings.empty() ? "no findings" : "the findings before this"),
                       look);
    case ReviewKind::whole:
      break;
  }
  return paragraph(fmt::format("{} cannot be held against the last run:\n{}", variant.shown, join(variant.differences, "\n")), look);
}

std::string totals_heading(const ReviewedVariant& variant) {
  const auto stages = stage_changes(*variant.accepted, variant.pending, variant.links).size();
  return stages == 0 ? std::string(kind_words(ReviewKind::totals)) : fmt::format("New totals of {}", counted(stages, "stage"));
}

}  // namespace

std::string item_screen(const ReviewPlan& plan, std::span<const ReviewAnswer> answers, std::size_t item, std::span<const Rule> rules,
                        const ReviewLook& look) {
  const auto& asked = plan.items[item];
  const auto& variant = plan.variants[asked.variant];
  auto text = paint(fmt::format("{} of {}  {}", item + 1, plan.items.size(), variant_name(variant)), Style::bold, look.color) + "\n\n";
  const auto heading = asked.kind == ReviewKind::totals ? totals_heading(variant) : std::string(kind_words(asked.kind));
  text += paint(heading, style_of(asked.kind), look.color) + "\n";
  text += body(plan, asked, rules, look);
  if (const auto words = what_accepting_does(asked.kind, variant.shown); !words.empty()) {
    text += "\n" + paragraph(words, look);
  }
  if (const auto words = answer_words(answers[item]); !words.empty()) {
    text += fmt::format("\nYour answer so far: {}\n", words);
  }
  return text;
}

std::string key_line(ReviewKind kind, const ReviewLook& look) {
  const bool has_old = !can_fail(kind) && kind != ReviewKind::new_baseline;
  std::vector<std::pair<char, std::string>> keys{
      {'a', "accept"}, {'r', has_old ? "keep the old" : "reject"}, {'s', "suppress"}, {'k', "skip"}, {'b', "back"}, {'q', "quit"},
      {'?', "help"}};
  std::erase_if(keys, [&](const auto& key) { return key.first == 's' && !can_fail(kind); });
  std::string text;
  std::size_t taken = 0;
  for (const auto& [key, word] : keys) {
    const auto width = word.size() + 2;
    if (taken > 0) {
      const bool fits = taken + 3 + width <= text_width(look);
      text += fits ? "   " : "\n";
      taken = fits ? taken + 3 : 0;
    }
    text += fmt::format("{} {}", paint(std::string(1, key), Style::bold, look.color), word);
    taken += width;
  }
  return text + "\n";
}

std::string review_help(const ReviewLook& look) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kKeys{{
      {"a", "accept: it goes into the baseline and passes from now on. What is gone or got better is locked in."},
      {"r", "reject: the baseline stays as it is there. What is new or worse keeps failing until it is mended."},
      {"s", "suppress: a [[suppress]] block with your reason is added to the manifest; the finding is shown and fails nothing."},
      {"k n", "skip: nothing is decided; the next review asks again."},
      {"b", "back to the question before. Another answer takes the place of the first."},
      {"q", "quit: what was answered so far is applied or dropped; you are asked which."},
      {"^C", "leave at once: nothing is written."},
  }};
  auto text = paint("Keys", Style::bold, look.color) + "\n";
  for (const auto& [key, words] : kKeys) {
    text += field(key, words, look);
  }
  return text + "\n" + paragraph("Files are written at the end, after you were asked once more.", look) + "\nAny key goes back.\n";
}

}  // namespace stagegate
