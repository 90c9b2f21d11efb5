#include "app/apply_review.h"

#include <utility>

#include <fmt/format.h>

#include "app/console.h"
#include "app/review_words.h"
#include "base/text.h"
#include "baseline/describe_change.h"
#include "manifest/suppress_block.h"
#include "model/verdict.h"
#include "report/terminal.h"
#include "run/quoting.h"
#include "sys/file.h"
#include "sys/machine.h"
#include "sys/write_file.h"

namespace stagegate {
namespace {

std::string describe(const ReviewedVariant& variant, const Baseline& now) {
  if (!variant.old_text) {
    return describe_new(now);
  }
  return variant.accepted ? describe_change(*variant.accepted, now) : "replaced, " + describe_new(now);
}

std::string describe(const std::vector<Suppression>& suppressions) {
  return counted(suppressions.size(), "suppression") + " added";
}

Status check_unchanged(const ReviewedVariant& variant) {
  // A file that could not even be opened is replaced.
  const auto now = is_file(variant.path) ? read_file(variant.path, ErrorKind::usage) : Result<std::string>(fail(ErrorKind::nothing, ""));
  const bool is_same = now ? variant.old_text == *now : !variant.old_text;
  return is_same ? Status()
                 : fail(ErrorKind::baseline,
                        fmt::format("{}: changed while it was reviewed, so it is left as it is; review it again", variant.shown));
}

Status write_baseline_of(const ReviewedVariant& variant, const ReviewedBaseline& reviewed) {
  STAGEGATE_TRY(check_unchanged(variant));
  return write_file(variant.path, reviewed.text);
}

// To the manifest as it is now, which is not read for anything else.
Status add_suppressions(const Project& project, const std::vector<Suppression>& suppressions) {
  STAGEGATE_TRY_ASSIGN(text, read_file(project.manifest_path, ErrorKind::usage));
  STAGEGATE_TRY_ASSIGN(
      added, with_suppressions(text, suppressions,
                               {.file = project.manifest.file, .dir = project.manifest.dir, .environment = [](const std::string& name) {
                                  return environment_variable(name);
                                }}));
  return write_file(project.manifest_path, added);
}

std::string blocks_of(const std::vector<Suppression>& suppressions) {
  std::string text;
  for (const auto& suppression : suppressions) {
    text += "\n" + suppress_block(suppression);
  }
  return text;
}

// One round of writing, file by file.
class ReviewWriter {
 public:
  ReviewWriter(const Project& project, const ReviewPlan& plan, std::span<const ReviewAnswer> answers)
      : project_(project), plan_(plan), answers_(answers) {}

  int run() {
    write_suppressions();
    for (std::size_t i = 0; i < plan_.variants.size(); ++i) {
      write_variant(i);
    }
    say_what_stays();
    say_what_is_next();
    return static_cast<int>(code_);
  }

 private:
  void write_suppressions() {
    const auto suppressions = reviewed_suppressions(plan_, answers_);
    if (suppressions.empty()) {
      return;
    }
    const auto written = add_suppressions(project_, suppressions);
    take(written, project_.manifest.file, describe(suppressions));
    if (!written && written.error().kind != ErrorKind::usage) {  // a manifest that is at fault says it in its own error
      print_message("Not added, to be added by hand:\n" + blocks_of(suppressions));
    }
  }

  void write_variant(std::size_t index) {
    const auto reviewed = reviewed_baseline(plan_, answers_, index);
    if (!reviewed) {
      return;
    }
    const auto& variant = plan_.variants[index];
    const auto written = write_baseline_of(variant, *reviewed);
    take(written, variant.shown, describe(variant, reviewed->baseline));
    if (!written) {
      print_message(fmt::format("Accepted, and not written:\n{}", accepted_of(index)));
    }
  }

  std::string accepted_of(std::size_t variant) const {
    std::vector<ReviewAnswer> of_variant(answers_.begin(), answers_.end());
    for (std::size_t i = 0; i < of_variant.size(); ++i) {
      if (plan_.items[i].variant != variant) {
        of_variant[i] = {};
      }
    }
    return answered_list(plan_, of_variant, Answer::accept);
  }

  void take(const Status& status, const std::string& shown, const std::string& words) {
    if (status) {
      print_result(fmt::format("{}: {}\n", shown, words));
      written_.push_back(shell_word(shown));
      return;
    }
    const auto code = static_cast<ExitCode>(report_error(status.error()));
    if (code_ == ExitCode::passed || code == ExitCode::usage) {  // as of several errors of `prune`: 2, then the first of them
      code_ = code;
    }
  }

  void say_what_stays() const {
    for (const auto& [answer, words] :
         {std::pair(Answer::reject, "Rejected, so the baselines stay as they are there:"),
          std::pair(Answer::skip, "Skipped, to be asked again:"), std::pair(Answer::open, "Not answered, to be asked again:")}) {
      if (const auto list = answered_list(plan_, answers_, answer); !list.empty()) {
        print_result(fmt::format("{}\n{}", words, list));
      }
    }
  }

  void say_what_is_next() const {
    if (written_.empty()) {
      print_result(code_ == ExitCode::passed ? "No file was changed.\n" : "");
      return;
    }
    const auto files = join(written_, " ");
    print_result(fmt::format("Next, look at it and commit it:\n  git add -- {}\n  git diff --staged -- {}\n  git commit\n", files, files));
  }

  const Project& project_;
  const ReviewPlan& plan_;
  std::span<const ReviewAnswer> answers_;
  std::vector<std::string> written_;  // as words for a shell
  ExitCode code_ = ExitCode::passed;
};

}  // namespace

std::vector<std::string> review_changes(const Project& project, const ReviewPlan& plan, std::span<const ReviewAnswer> answers) {
  std::vector<std::string> lines;
  if (const auto suppressions = reviewed_suppressions(plan, answers); !suppressions.empty()) {
    lines.push_back(fmt::format("{}: {}", project.manifest.file, describe(suppressions)));
  }
  for (std::size_t i = 0; i < plan.variants.size(); ++i) {
    if (const auto reviewed = reviewed_baseline(plan, answers, i)) {
      lines.push_back(fmt::format("{}: {}", plan.variants[i].shown, describe(plan.variants[i], reviewed->baseline)));
    }
  }
  return lines;
}

int apply_review(const Project& project, const ReviewPlan& plan, std::span<const ReviewAnswer> answers) {
  return ReviewWriter(project, plan, answers).run();
}

}  // namespace stagegate
