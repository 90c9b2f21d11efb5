#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/apply_review.h"
#include "app/baseline_files.h"
#include "app/commands.h"
#include "app/console.h"
#include "app/review_plan.h"
#include "app/review_screen.h"
#include "base/text.h"
#include "baseline/judge.h"
#include "manifest/suppress_block.h"
#include "model/verdict.h"
#include "report/terminal.h"
#include "rules/evaluate.h"
#include "sys/file.h"
#include "sys/interrupt.h"
#include "sys/keyboard.h"
#include "sys/machine.h"

namespace stagegate {
namespace {

enum class ReviewEnd : std::uint8_t { apply, drop, end_of_input, interrupted };

// Asks question by question. Until it has ended nothing is written.
class Interview {
 public:
  Interview(const Project& project, const ReviewPlan& plan, ColorChoice color)
      : project_(project), plan_(plan), color_(color_for(color, Stream::out)), answers_(plan.items.size()) {
    const auto terminal = environment_variable("TERM").value_or("");
    clears_ = !terminal.empty() && terminal != "dumb";
  }

  ReviewEnd run() {
    while (!end_) {
      if (item_ == plan_.items.size()) {
        close(last_item());
      } else {
        ask();
      }
    }
    return *end_;
  }

  const std::vector<ReviewAnswer>& answers() const { return answers_; }

 private:
  ReviewLook look() const {
    return {.color = color_,
            .width = static_cast<std::size_t>(terminal_width(Stream::out)),
            .height = static_cast<std::size_t>(terminal_height(Stream::out))};
  }

  void show(const std::string& text) const {
    print_result(fmt::format("{}{}", clears_ ? "\x1b[H\x1b[2J" : "\n", text));
    flush_results();
  }

  // Absent: there is no more to be read, and end_ says why. Keys that are none come as '\0', a screen to be drawn again too.
  std::optional<char> next_key() {
    const auto key = keyboard_.read_key();
    if (ends(key.kind)) {
      return std::nullopt;
    }
    return key.kind == KeyKind::character ? key.character : '\0';
  }

  bool ends(KeyKind kind) {
    if (kind == KeyKind::interrupted || kind == KeyKind::end) {
      end_ = kind == KeyKind::interrupted ? ReviewEnd::interrupted : ReviewEnd::end_of_input;
    }
    return end_.has_value();
  }

  void ask() {
    const auto kind = plan_.items[item_].kind;
    show(fmt::format("{}\n{}{}", item_screen(plan_, answers_, item_, project_.rules, look()), key_line(kind, look()), note_));
    note_.clear();
    const auto key = next_key();
    if (key) {
      take(kind, *key);
    }
  }

  void take(ReviewKind kind, char key) {
    switch (key) {
      case 'a':
        return answer({.answer = Answer::accept, .reason = {}, .until = {}});
      case 'r':
        return answer({.answer = Answer::reject, .reason = {}, .until = {}});
      case 'k':
      case 'n':
        return answer({.answer = Answer::skip, .reason = {}, .until = {}});
      case 's':
        if (can_fail(kind)) {
          return suppress();
        }
        note_ = "\nOnly a finding that is new or worse can be suppressed.\n";
        return;
      case 'b':
        return go_back();
      case 'q':
        return close(item_);
      case '?':
        show(review_help(look()));
        static_cast<void>(next_key());
        return;
      case '\0':
        return;
      default:
        note_ = fmt::format("\n'{}' is none of the keys; ? says what they do.\n", key == '\n' ? "Enter" : std::string(1, key));
    }
  }

  void answer(ReviewAnswer given) {
    answers_[item_] = std::move(given);
    do {
      ++item_;
    } while (item_ < plan_.items.size() && is_implied(plan_, answers_, item_));
  }

  void go_back() {
    auto before = item_;
    while (before > 0 && is_implied(plan_, answers_, before - 1)) {
      --before;
    }
    if (before == 0) {
      note_ = "\nThis is the first one.\n";
    } else {
      item_ = before - 1;
    }
  }

  std::size_t last_item() const {
    auto last = plan_.items.size() - 1;
    while (last > 0 && is_implied(plan_, answers_, last)) {
      --last;
    }
    return last;
  }

  // "b" goes back to the question.
  void suppress() {
    const auto reason = ask_line("Reason, for whoever reads it later ('b': back to the finding): ", [](const std::string& line) {
      return line.empty() ? "A suppression without a reason is not taken." : "";
    });
    if (!reason || *reason == "b") {
      return;
    }
    const auto until = ask_line("Last day on which it holds, as 2027-03-01 (Enter: no end): ", [](const std::string& line) {
      if (line.empty() || (is_day(line) && line >= today_utc())) {
        return "";
      }
      return is_day(line) ? "That day is over." : "This is no day of the calendar; write it as 2027-03-01.";
    });
    if (until) {
      answer({.answer = Answer::suppress, .reason = *reason, .until = until->empty() ? std::nullopt : until});
    }
  }

  // A line that OBJECTION has nothing against: it gives the words that are, or "". Absent: the input ended.
  template <typename Objection>
  std::optional<std::string> ask_line(std::string_view question, Objection objection) {
    print_result("\n");
    for (;;) {
      print_result(question);
      flush_results();
      const auto typed = keyboard_.read_line();
      if (ends(typed.kind)) {
        return std::nullopt;
      }
      auto line = one_line(typed.text);
      const std::string words = typed.kind == KeyKind::resumed ? " " : objection(line);
      if (words.empty()) {
        return line;
      }
      print_result(words + "\n");
    }
  }

  // What is to become of the answers. BACK is the question that "b" leads to.
  void close(std::size_t back) {
    const auto changes = review_changes(project_, plan_, answers_);
    if (changes.empty()) {
      end_ = ReviewEnd::apply;
      return;
    }
    for (;;) {
      show(fmt::format("{}.\n\nTo be written:\n  {}\n\n{}\n", count_answers(plan_, answers_), join(changes, "\n  "),
                       "Write it?   y yes   n no, drop the answers   b back"));
      const auto key = next_key();
      if (!key || *key == 'y' || *key == 'n') {
        end_ = !key ? end_ : *key == 'y' ? ReviewEnd::apply : ReviewEnd::drop;
        return;
      }
      if (*key == 'b') {
        item_ = back;
        return;
      }
    }
  }

  const Project& project_;
  const ReviewPlan& plan_;
  Color color_;
  bool clears_ = false;
  Keyboard keyboard_;
  std::size_t item_ = 0;  // plan_.items.size(): all were gone through
  std::vector<ReviewAnswer> answers_;
  std::string note_;  // below the keys, once
  std::optional<ReviewEnd> end_;
};

std::map<std::string, Level> levels_of(const Project& project, const JobVariant& job_variant) {
  std::map<std::string, Level> levels;
  for (const auto& configured : configure(project.rules, project.manifest.rules, job_variant.job, job_variant.variant)) {
    levels.emplace(configured.rule->id, configured.level);
  }
  return levels;
}

ReviewedVariant reviewed_variant(const Project& project, const JobVariant& job_variant, BaselineFile pending) {
  ReviewedVariant reviewed{.job = job_variant.job,
                           .variant = job_variant.variant,
                           .path = baseline_path(project.manifest, job_variant.job, job_variant.variant),
                           .shown = {},
                           .old_text = {},
                           .accepted = {},
                           .differences = {},
                           .pending = std::move(pending.baseline),
                           .pending_text = std::move(pending.text),
                           .levels = levels_of(project, job_variant)};
  reviewed.shown = display_path(reviewed.path, current_folder());
  const auto accepted = read_accepted(project, job_variant);
  if (!accepted) {
    reviewed.differences = split(accepted.error().message, '\n');
    if (auto text = read_file(reviewed.path, ErrorKind::usage)) {
      reviewed.old_text = std::move(*text);
    }
  } else if (*accepted) {
    reviewed.old_text = (*accepted)->text;
    reviewed.differences = differing_conditions((*accepted)->baseline, reviewed.pending);
    if (reviewed.differences.empty()) {
      reviewed.accepted = (*accepted)->baseline;
    }
  }
  return reviewed;
}

// Those that a run has left a result of; the names of the others go to WITHOUT.
Result<std::vector<ReviewedVariant>> reviewed_variants(const Project& project, const std::vector<JobVariant>& job_variants,
                                                       std::vector<std::string>& without) {
  std::vector<ReviewedVariant> variants;
  for (const auto& job_variant : job_variants) {
    STAGEGATE_TRY_ASSIGN(pending, read_pending(project, job_variant));
    if (pending) {
      variants.push_back(reviewed_variant(project, job_variant, std::move(*pending)));
    } else {
      without.push_back(name_of(job_variant));
    }
  }
  return variants;
}

int end_of(ReviewEnd end, const Project& project, const ReviewPlan& plan, const std::vector<ReviewAnswer>& answers) {
  switch (end) {
    case ReviewEnd::apply:
      break;
    case ReviewEnd::drop:
      print_result(fmt::format("Nothing was written; the answers are dropped: {}.\n", count_answers(plan, answers)));
      return static_cast<int>(ExitCode::passed);
    case ReviewEnd::end_of_input:
      print_message(fmt::format("\nThe input ended: nothing was written, and the answers are lost: {}.", count_answers(plan, answers)));
      return static_cast<int>(ExitCode::interrupted);
    case ReviewEnd::interrupted: {
      print_message(fmt::format("\nInterrupted: nothing was written, and the answers are lost: {}.", count_answers(plan, answers)));
      RunResult interrupted;
      interrupted.interrupt_signal = interrupt_signal();
      return static_cast<int>(exit_code_of(interrupted));
    }
  }
  return apply_review(project, plan, answers);
}

int review(const Project& project, const ReviewPlan& plan, ColorChoice color) {
  watch_interrupts();
  std::vector<ReviewAnswer> answers;
  ReviewEnd end = ReviewEnd::drop;
  {
    // The terminal is given back before anything is written.
    Interview interview(project, plan, color);
    end = interview.run();
    answers = interview.answers();
  }
  return end_of(end, project, plan, answers);
}

Status check_place() {
  if (is_ci()) {
    return fail(ErrorKind::usage,
                "in CI nobody can be asked, and no baseline is written; take the report folder from the job's artifacts and review it on a "
                "machine of yours, or take all of it with 'stagegate baseline accept' there");
  }
  if (!Keyboard::is_there() || !is_terminal(Stream::out)) {
    return fail(ErrorKind::usage,
                "a review asks and shows, for which standard input and output must be a terminal; without one take the results with "
                "'stagegate baseline accept', some of them with its --rule and --stage");
  }
  return {};
}

int review_selected(const Project& project, const BaselineReviewOptions& options) {
  const auto job_variants = resolve(project.manifest, {.jobs = options.jobs, .variants = options.variants, .conf = {}});
  if (!job_variants) {
    return report_error(job_variants.error());
  }
  std::vector<std::string> without;
  auto variants = reviewed_variants(project, *job_variants, without);
  if (!variants) {
    return report_error(variants.error());
  }
  if (variants->empty()) {
    return report_error({ErrorKind::nothing, "nothing to review: no run has left a result; start one with 'stagegate run'"});
  }
  const auto plan = plan_review(std::move(*variants), project.rules, project.manifest.suppressions, today_utc());
  if (plan.items.empty()) {
    return report_error({ErrorKind::nothing, "nothing to review: the baselines have all that the last run found"});
  }
  const int code = review(project, plan, options.common.color);
  if (!without.empty()) {
    print_message(fmt::format("no result to review of {}: not run, or not to be judged", join(without, ", ")));
  }
  return code;
}

}  // namespace

int baseline_review_command(const BaselineReviewOptions& options) {
  const auto project = load_project_with_baselines(options.common, "review");
  if (!project) {
    return report_error(project.error());
  }
  const auto place = check_place();
  return place ? review_selected(*project, options) : report_error(place.error());
}

}  // namespace stagegate
