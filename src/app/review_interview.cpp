#include "app/review_interview.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/apply_review.h"
#include "app/console.h"
#include "app/review_screen.h"
#include "app/review_words.h"
#include "base/text.h"
#include "manifest/suppress_block.h"
#include "report/terminal.h"
#include "sys/keyboard.h"
#include "sys/machine.h"

namespace stagegate {
namespace {

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

}  // namespace

Interviewed interview(const Project& project, const ReviewPlan& plan, ColorChoice color) {
  Interview questions(project, plan, color);
  const auto end = questions.run();
  return {.end = end, .answers = questions.answers()};
}

}  // namespace stagegate
