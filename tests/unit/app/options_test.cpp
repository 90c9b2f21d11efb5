#include "app/options.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

Command parse(std::vector<std::string> words) {
  words.insert(words.begin(), "stagegate");
  std::vector<char*> pointers;
  for (auto& word : words) {
    pointers.push_back(word.data());
  }
  return parse_command_line(static_cast<int>(pointers.size()), pointers.data());
}

// What is printed to stderr, for a command line that is refused with exit code 2.
std::string refusal(std::vector<std::string> words) {
  testing::internal::CaptureStderr();
  const auto command = parse(std::move(words));
  auto text = testing::internal::GetCapturedStderr();
  const auto* finished = std::get_if<Finished>(&command);
  EXPECT_TRUE(finished != nullptr && finished->exit_code == 2);
  return text;
}

TEST(Options, AreTakenByTheirCommand) {
  const auto command =
      parse({"run", "--job", "a*", "--job", "b", "--variant", "v", "--conf", "k=v", "--jobs", "3", "--runs", "5", "--fail-fast", "-n"});
  const auto& run = std::get<RunOptions>(command);
  EXPECT_EQ(run.jobs, (std::vector<std::string>{"a*", "b"}));
  EXPECT_EQ(run.variants, (std::vector<std::string>{"v"}));
  EXPECT_EQ(run.conf, (std::vector<std::string>{"k=v"}));
  EXPECT_EQ(run.parallel, 3);
  EXPECT_EQ(run.runs, 5);
  EXPECT_EQ(run.on_failure, OnFailure::fail_fast);
  EXPECT_TRUE(run.dry_run);
}

TEST(Options, OfBaselineCommandsAreTheirOwn) {
  const auto command = parse({"baseline", "accept", "--job", "a*", "--rule", "skew", "--rule", "s*", "--stage", "join *"});
  const auto& accept = std::get<BaselineAcceptOptions>(command);
  EXPECT_EQ(accept.jobs, (std::vector<std::string>{"a*"}));
  EXPECT_EQ(accept.choice.rules, (std::vector<std::string>{"skew", "s*"}));
  EXPECT_EQ(accept.choice.stages, (std::vector<std::string>{"join *"}));
  EXPECT_TRUE(std::get<BaselineAcceptOptions>(parse({"baseline", "accept"})).choice.is_everything());
  EXPECT_EQ(std::get<BaselinePruneOptions>(parse({"baseline", "prune"})).orphans, Orphans::keep);
  EXPECT_EQ(std::get<BaselinePruneOptions>(parse({"baseline", "prune", "--orphans"})).orphans, Orphans::remove);
  EXPECT_EQ(std::get<BaselineStatusOptions>(parse({"baseline", "status", "--variant", "v"})).variants, (std::vector<std::string>{"v"}));
  EXPECT_TRUE(std::holds_alternative<BaselineRejectOptions>(parse({"baseline", "reject"})));
  EXPECT_EQ(std::get<BaselineReviewOptions>(parse({"baseline", "review", "--job", "r*"})).jobs, (std::vector<std::string>{"r*"}));
  refusal({"baseline", "reject", "--rule", "skew"});
  refusal({"baseline"});
}

TEST(Options, HaveTheirDefaults) {
  const auto command = parse({"run"});
  const auto& run = std::get<RunOptions>(command);
  EXPECT_EQ(run.parallel, 1);
  EXPECT_FALSE(run.runs);
  EXPECT_EQ(run.on_failure, OnFailure::keep_going);
  EXPECT_EQ(run.common.color, ColorChoice::automatic);
  EXPECT_FALSE(run.common.manifest);
}

TEST(Options, OfReportChooseFormatAndOrder) {
  const auto command = parse({"report", "log", "--format", "json", "--sort", "shuffle-read", "--all"});
  const auto& report = std::get<ReportOptions>(command);
  EXPECT_EQ(report.source.source, "log");
  EXPECT_EQ(report.format, ReportFormat::json);
  EXPECT_EQ(report.sort, StageSort::shuffle_read);
  EXPECT_EQ(report.filter, StageFilter::all);
}

TEST(Options, OfReportKnowEveryFormat) {
  const std::vector<std::pair<std::string, ReportFormat>> formats{{"text", ReportFormat::text},
                                                                  {"json", ReportFormat::json},
                                                                  {"csv", ReportFormat::csv},
                                                                  {"csv-tasks", ReportFormat::csv_tasks},
                                                                  {"markdown", ReportFormat::markdown}};
  for (const auto& [name, format] : formats) {
    EXPECT_EQ(std::get<ReportOptions>(parse({"report", "log", "--format", name})).format, format) << name;
  }
}

TEST(Options, OfReportChooseOneStageOrAnAttemptOfIt) {
  const auto stage = [](const std::string& text) { return std::get<ReportOptions>(parse({"report", "log", "--stage", text})).stage; };
  EXPECT_EQ(stage("12"), (StageChoice{.id = 12, .attempt = std::nullopt}));
  EXPECT_EQ(stage("12.1"), (StageChoice{.id = 12, .attempt = 1}));
  EXPECT_EQ(stage("0.0"), (StageChoice{.id = 0, .attempt = 0}));
  for (const auto* text : {"", "x", "-1", "1.", ".1", "1.2.3", "1.x", " 1", "99999999999"}) {
    EXPECT_NE(refusal({"report", "log", "--stage=" + std::string(text)}).find("--stage"), std::string::npos) << text;
  }
}

TEST(Options, OneStageIsOfOneApplication) {
  EXPECT_EQ(refusal({"report", "log", "--all-apps", "--stage", "1"}),
            "stagegate: --stage: a stage is one of one application; choose it with --app instead of --all-apps\n"
            "Run 'stagegate report --help' for the options.\n");
}

TEST(Options, OneStageIsTextOrJson) {
  EXPECT_EQ(std::get<ReportOptions>(parse({"report", "log", "--stage", "1", "--format", "json"})).stage->id, 1);
  for (const auto* format : {"csv", "csv-tasks", "markdown"}) {
    EXPECT_EQ(refusal({"report", "log", "--format", format, "--stage", "1"}),
              "stagegate: --stage: one stage is shown as text or json; csv, csv-tasks and markdown are of all stages\n"
              "Run 'stagegate report --help' for the options.\n");
  }
}

TEST(Options, AMisspeltWordIsNamedWithTheNearest) {
  EXPECT_EQ(refusal({"rnu"}), "stagegate: unknown command 'rnu'; did you mean 'run'?\n");
  EXPECT_EQ(refusal({"run", "--formt", "x"}), "stagegate: unknown option '--formt'\nRun 'stagegate run --help' for the options.\n");
  EXPECT_EQ(refusal({"report", "log", "--formt=json"}),
            "stagegate: unknown option '--formt'; did you mean '--format'?\nRun 'stagegate report --help' for the options.\n");
  EXPECT_EQ(refusal({"baseline", "accept", "--jbo", "a"}),
            "stagegate: unknown option '--jbo'; did you mean '--job'?\nRun 'stagegate baseline --help' for the options.\n");
  EXPECT_EQ(refusal({"list", "revenue"}), "stagegate: unexpected argument 'revenue'\nRun 'stagegate list --help' for the options.\n");
}

TEST(Options, AValueThatIsNoneIsRefused) {
  EXPECT_NE(refusal({"run", "--jobs", "0"}).find("--jobs"), std::string::npos);
  for (const auto* runs : {"0", "101", "-1", "2.5", "many"}) {
    EXPECT_NE(refusal({"run", "--runs", runs}).find("--runs"), std::string::npos) << runs;
  }
  EXPECT_NE(refusal({"report", "log", "--format", "xml"}).find("xml"), std::string::npos);
  EXPECT_NE(refusal({"report"}).find("source"), std::string::npos);
  EXPECT_NE(refusal({}).find("subcommand"), std::string::npos);
}

}  // namespace
}  // namespace stagegate
