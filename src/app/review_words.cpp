#include "app/review_words.h"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/stage_changes.h"
#include "base/text.h"
#include "report/terminal.h"

namespace stagegate {

std::string variant_name(const ReviewedVariant& variant) {
  return one_line(fmt::format("{}/{}", variant.job, variant.variant));
}

std::string stage_name(const BaselineFinding& finding) {
  return finding.stage_label.empty() ? "the whole run" : one_line(finding.stage_label);
}

const BaselineFinding& finding_of(const ReviewItem& item) {
  return item.now ? *item.now : *item.accepted;
}

std::string item_name(const ReviewPlan& plan, const ReviewItem& item) {
  const auto& variant = plan.variants[item.variant];
  switch (item.kind) {
    case ReviewKind::new_finding:
    case ReviewKind::worse:
      return fmt::format("{} at {}", one_line(finding_of(item).rule), stage_name(finding_of(item)));
    case ReviewKind::better:
      return fmt::format("{} at {}, which got better", one_line(finding_of(item).rule), stage_name(finding_of(item)));
    case ReviewKind::gone:
      return fmt::format("{} at {}, which is gone", one_line(finding_of(item).rule), stage_name(finding_of(item)));
    case ReviewKind::totals: {
      const auto stages = stage_changes(*variant.accepted, variant.pending, variant.links).size();
      return stages == 0 ? std::string("what changed beside the numbers of stages")
                         : fmt::format("the new totals of {}", counted(stages, "stage"));
    }
    case ReviewKind::new_baseline:
      return fmt::format("a baseline with the totals of {}", counted(variant.pending.stages.size(), "stage"));
    case ReviewKind::whole:
      break;
  }
  return "the whole result";
}

std::string answer_words(const ReviewAnswer& answer) {
  switch (answer.answer) {
    case Answer::open:
      return {};
    case Answer::accept:
      return "accepted";
    case Answer::reject:
      return "rejected";
    case Answer::suppress:
      return fmt::format("suppressed{}: {}", answer.until ? " until " + *answer.until : "", one_line(answer.reason));
    case Answer::skip:
      return "skipped";
  }
  return {};
}

std::string count_answers(const ReviewPlan& plan, std::span<const ReviewAnswer> answers) {
  constexpr std::array<std::pair<Answer, std::string_view>, 5> kWords{{{Answer::accept, "accepted"},
                                                                       {Answer::reject, "rejected"},
                                                                       {Answer::suppress, "suppressed"},
                                                                       {Answer::skip, "skipped"},
                                                                       {Answer::open, "not answered"}}};
  std::vector<std::string> parts;
  for (const auto& [answer, words] : kWords) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < plan.items.size(); ++i) {
      count += answers[i].answer == answer && !is_implied(plan, answers, i) ? 1U : 0U;
    }
    if (count > 0) {
      parts.push_back(fmt::format("{} {}", count, words));
    }
  }
  return join(parts, ", ");
}

std::string answered_list(const ReviewPlan& plan, std::span<const ReviewAnswer> answers, Answer answer) {
  std::string text;
  for (std::size_t i = 0; i < plan.items.size(); ++i) {
    const auto& item = plan.items[i];
    if (answers[i].answer == answer && !is_implied(plan, answers, i)) {
      text += fmt::format("  {}: {}\n", variant_name(plan.variants[item.variant]), item_name(plan, item));
    }
  }
  return text;
}

}  // namespace stagegate
