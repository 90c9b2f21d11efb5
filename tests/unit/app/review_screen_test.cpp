#include "app/review_screen.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/review_words.h"
#include "app/stage_changes.h"
#include "base/text.h"
#include "identity/link_stages.h"
#include "unit/app/reviewed.h"

namespace stagegate {
namespace {

using test::found;
using test::holding;
using test::reviewed;

const ReviewLook kPlain{.color = Color::off, .width = 60, .height = 24};

ReviewPlan planned(ReviewedVariant variant) {
  return plan_review({std::move(variant)}, test::rules(), {}, "2026-11-30");
}

std::string screen(const ReviewPlan& plan, std::size_t item, const ReviewLook& look = kPlain) {
  return item_screen(plan, std::vector<ReviewAnswer>(plan.items.size()), item, test::rules(), look);
}

TEST(ReviewScreen, SaysWhatItIsWhereAndHowItMoved) {
  const auto plan =
      planned(reviewed(holding({found("skew", "join orders", "f1", 9000)}), holding({found("skew", "join orders", "f1", 12000)})));
  EXPECT_EQ(screen(plan, 0),
            "1 of 1  revenue/adaptive-off\n"
            "\n"
            "Worse than accepted\n"
            "  rule   skew: one task reads far more than the others\n"
            "  stage  join orders\n"
            "  value  9x -> 12x (tolerance 10 %)\n"
            "\n"
            "  Look which key the large task holds.\n");
}

TEST(ReviewScreen, AWarningIsNamedAndARuleWithoutAHintSpeaksByItsSummary) {
  const auto text = screen(planned(reviewed(holding({}), holding({found("spill", "", "", 3000)}))), 0);
  EXPECT_EQ(text,
            "1 of 1  revenue/adaptive-off\n"
            "\n"
            "New finding\n"
            "  rule   spill (warning): it did not fit into memory\n"
            "  stage  the whole run\n"
            "  value  not accepted -> 3x\n"
            "\n"
            "  Something was written to disk.\n");
}

TEST(ReviewScreen, OfWhatIsGoneSaysWhatAcceptingDoes) {
  EXPECT_EQ(screen(planned(reviewed(holding({found("skew", "sort", "f2", 7000)}), holding({}))), 0),
            "1 of 1  revenue/adaptive-off\n"
            "\n"
            "Gone\n"
            "  rule   skew: one task reads far more than the others\n"
            "  stage  sort\n"
            "  value  7x -> gone\n"
            "\n"
            "  Accepting that takes it out of the baseline, so that it\n"
            "  fails where it comes back.\n");
}

TEST(ReviewScreen, ARuleThatIsNotThereAnyMoreIsShownByItsName) {
  EXPECT_NE(screen(planned(reviewed(holding({}), holding({found("old", "sort", "f2", 7000)}))), 0).find("  rule   old\n"),
            std::string::npos);
}

// 348031 bytes and 10 % more, 20465 and twice that: by hand.
TEST(ReviewScreen, ShowsTheStagesMostChangedFirst) {
  auto pending = holding({});
  pending.stages[0].totals[index_of(Metric::shuffle_read_bytes)] = 382834;
  pending.stages[0].totals[index_of(Metric::output_bytes)] = 40930;
  pending.stages[0].tasks = 100;
  pending.stages[1].totals[index_of(Metric::shuffle_write_bytes)] = 1048576;
  EXPECT_EQ(screen(planned(reviewed(holding({}), pending)), 0),
            "1 of 1  revenue/adaptive-off\n"
            "\n"
            "New totals of 2 stages\n"
            "  read parquet schema\n"
            "    shuffle_write: 0 B -> 1 MiB (new)\n"
            "  aggregate by country > write parquet to out\n"
            "    shuffle_read: 340 KiB -> 374 KiB (+10 %)\n"
            "    output: 20 KiB -> 40 KiB (+100 %)\n"
            "    tasks: 200 -> 100\n"
            "\n"
            "  Accepting makes these the numbers that the next runs are\n"
            "  held against: what grew so far passes.\n");
}

TEST(ReviewScreen, LeavesOutWhatALowTerminalHasNoRoomFor) {
  auto pending = holding({});
  for (int i = 0; i < 30; ++i) {
    BaselineStage stage{.key = {.label = "stage " + std::to_string(i), .fingerprint = std::to_string(i)}, .tasks = 1, .totals = {}};
    stage.totals[index_of(Metric::output_bytes)] = 1000 + i;
    pending.stages.push_back(stage);
  }
  auto look = kPlain;
  look.height = 20;
  const auto text = screen(planned(reviewed(holding({}), pending)), 0, look);
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 20);
  EXPECT_NE(text.find("New totals of 30 stages\n  stage 29\n    a new stage: output 1 KiB\n"), std::string::npos) << text;
  EXPECT_NE(text.find("27 stages more, changed less"), std::string::npos) << text;
  look.height = 200;
  EXPECT_NE(screen(planned(reviewed(holding({}), pending)), 0, look).find("stage 0\n"), std::string::npos);
}

TEST(ReviewScreen, ShowsTheAnswerThatWasGiven) {
  const auto plan = planned(reviewed(holding({}), holding({found("skew", "sort", "f2", 7000)})));
  const std::vector<ReviewAnswer> answers{{.answer = Answer::suppress, .reason = "DATA-1", .until = "2027-03-01"}};
  EXPECT_TRUE(
      item_screen(plan, answers, 0, test::rules(), kPlain).ends_with("\nYour answer so far: suppressed until 2027-03-01: DATA-1\n"));
}

TEST(ReviewScreen, NoTextOfAJobReachesTheTerminalAsACommand) {
  const auto text = screen(planned(reviewed(holding({}), holding({found("skew", "a\x1b[2Jb\r\n::error::c\x9b", "f", 7000)}))), 0);
  EXPECT_EQ(std::count_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n'; }), 0) << text;
  EXPECT_EQ(text.find("\n::"), std::string::npos);
}

TEST(ReviewScreen, FitsIntoANarrowTerminal) {
  const auto plan = planned(reviewed(holding({}), holding({found("skew", "join orders and customers on their id", "f2", 7000)})));
  const ReviewLook narrow{.color = Color::off, .width = 30, .height = 10};
  for (const auto& text : {screen(plan, 0, narrow), key_line(ReviewKind::new_finding, narrow), review_help(narrow)}) {
    for (const auto& line : split(text, '\n')) {
      EXPECT_LE(line.size(), 30U) << line;
    }
  }
}

TEST(ReviewScreen, OffersTheKeysThatTheQuestionHas) {
  EXPECT_EQ(key_line(ReviewKind::new_finding, {}), "a accept   r reject   s suppress   k skip   b back   q quit   ? help\n");
  EXPECT_EQ(key_line(ReviewKind::gone, {}), "a accept   r keep the old   k skip   b back   q quit   ? help\n");
  EXPECT_EQ(key_line(ReviewKind::new_baseline, {}), "a accept   r reject   k skip   b back   q quit   ? help\n");
}

TEST(ReviewScreen, CountsAndListsTheAnswers) {
  auto variant = reviewed({}, holding({found("skew", "join", "f1", 9000), found("skew", "sort", "f2", 7000)}));
  variant.accepted.reset();
  variant.old_text.reset();
  const auto plan = planned(variant);
  std::vector<ReviewAnswer> answers(3);
  answers[1].answer = Answer::reject;
  EXPECT_EQ(count_answers(plan, answers), "1 rejected, 2 not answered");
  EXPECT_EQ(answered_list(plan, answers, Answer::reject), "  revenue/adaptive-off: skew at sort\n");
  answers[0].answer = Answer::accept;
  EXPECT_EQ(count_answers(plan, answers), "1 accepted, 1 rejected") << "the stages come with the finding";
  EXPECT_EQ(answered_list(plan, answers, Answer::open), "");
}

std::vector<StageChange> changes_to(const Baseline& pending) {
  return stage_changes(holding({}), pending, link_stages(holding({}), pending));
}

TEST(StageChanges, ANumberThatVariedIsARange) {
  auto pending = holding({});
  pending.stages[0].totals[index_of(Metric::output_bytes)] = Seen(20465, 40930);
  EXPECT_EQ(changes_to(pending)[0].lines, std::vector<std::string>{"output: 20 KiB -> 20 KiB to 40 KiB (+100 %)"});
}

TEST(StageChanges, AStageIsFoundAgainByItsFingerprintAndUnderAnotherName) {
  auto pending = holding({});
  pending.stages[1].key.label = "read the schema";
  const auto changes = changes_to(pending);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].label, "read the schema");
  EXPECT_EQ(changes[0].lines, std::vector<std::string>{"was called: read parquet schema"});
}

TEST(StageChanges, NumbersThatRoundToTheSameAreExact) {
  auto pending = holding({});
  pending.stages[0].totals[index_of(Metric::shuffle_read_bytes)] = 348032;
  EXPECT_EQ(changes_to(pending)[0].lines, std::vector<std::string>{"shuffle_read: 348,031 B -> 348,032 B (+0.000287 %)"});
}

TEST(StageChanges, AStageThatIsGoneIsNamed) {
  auto pending = holding({});
  pending.stages.erase(pending.stages.begin());
  const auto changes = changes_to(pending);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].lines, std::vector<std::string>{"not there any more: shuffle_read 340 KiB, output 20 KiB, output_records 30"});
}

}  // namespace
}  // namespace stagegate
