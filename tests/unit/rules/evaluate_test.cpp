#include "rules/evaluate.h"

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "rules/compiled_rule.h"
#include "unit/rules/evaluating.h"
#include "unit/rules/rule_text.h"

namespace stagegate {
namespace {

using testing::evaluate_rules;
using testing::findings_of;
using testing::names_of;
using testing::only;
using testing::rule_with;
using testing::stage_named;
using testing::stage_with;

Rule parsed(const std::string& text, const std::string& file = "own/r.toml") {
  auto rule = parse_rule(text, file);
  EXPECT_TRUE(rule) << rule.error().message;
  return *rule;
}

// A rule without `unless`, which fires where there are more than 100 tasks.
Rule own_rule(const std::string& id, const std::string& unless = "[]") {
  return parsed(rule_with("\"wide\"", "\"" + id + "\"", rule_with("[\"skew\"]", unless)));
}

TEST(Evaluate, AFindingSaysWhatWhereAndHowMuch) {
  const auto rules = *load_rules({});
  auto values = std::vector<std::int64_t>(199, 23142);
  values.push_back(9534504);
  const auto findings = findings_of(rules, {stage_with(Metric::shuffle_read_bytes, values)});
  ASSERT_EQ(findings.size(), 1U);
  const auto& finding = findings.front();
  EXPECT_EQ(finding.rule, "skew");
  EXPECT_EQ(finding.level, Level::error);
  EXPECT_EQ(finding.stage_label, "join orders");
  EXPECT_EQ(finding.stage_fingerprint, "00112233aabbccdd");
  EXPECT_EQ(finding.stage_id, 7);
  EXPECT_EQ(finding.value_thousandths, 412000);
  EXPECT_EQ(finding.unit, ValueUnit::ratio);
  EXPECT_EQ(finding.tolerance_thousandths, 100);
  EXPECT_FALSE(finding.compares_with_baseline);
  EXPECT_EQ(finding.message, "one task reads 9.09 MiB of shuffle, 412x the median of 22.6 KiB over 200 tasks (limit 5x)");
  // The hint, in one line; the advice in full is for `explain`.
  EXPECT_TRUE(finding.advice.starts_with("Look which key the large task holds.")) << finding.advice;
  EXPECT_TRUE(finding.advice.ends_with(" More: stagegate explain skew")) << finding.advice;
  EXPECT_EQ(finding.advice.find('\n'), std::string::npos);
}

TEST(Evaluate, LevelAndLimitsAreThoseOfTheConfiguration) {
  const auto rules = *load_rules({});
  RuleSettings settings;
  settings.id = "skew";
  settings.level = Level::warning;
  settings.parameters["factor"] = {2.5, {}, {}};
  const std::vector<Stage> stages{stage_with(Metric::shuffle_read_bytes, {10, 10, 10, 26})};
  const auto findings = evaluate(configure(rules, std::vector{settings}, "job", "variant"), {.stages = stages}, nullptr);
  ASSERT_TRUE(findings);
  ASSERT_EQ(findings->size(), 1U);
  EXPECT_EQ(findings->front().level, Level::warning);
  EXPECT_EQ(findings->front().message, "one task reads 26 B of shuffle, 2.6x the median of 10 B over 4 tasks (limit 2.5x)");
}

TEST(Evaluate, SmallTasksIsSilentWhereSkewSpeaks) {
  const auto rules = *load_rules({});
  const std::vector<std::int64_t> even(200, 1000);
  auto skewed = even;
  skewed.back() = 100000;
  const auto findings =
      findings_of(rules, {stage_with(Metric::shuffle_read_bytes, even, "even"), stage_with(Metric::shuffle_read_bytes, skewed, "skewed")});
  EXPECT_EQ(names_of(findings), (std::vector<std::string>{"skew @ skewed", "small-tasks @ even"}));
  EXPECT_EQ(findings[1].message, "200 tasks on 4 cores read 195 KiB of shuffle in all (limits: 2 tasks a core, 1 MiB a task)");
}

TEST(Evaluate, HeavyKeyIsSilentWhereSkewSpeaks) {
  const auto rules = *load_rules({});
  constexpr std::int64_t kMiB = 1 << 20;
  const auto findings = findings_of(rules, {stage_with(Metric::shuffle_read_bytes, {kMiB, kMiB, kMiB, 6 * kMiB}, "skewed"),
                                            stage_with(Metric::shuffle_read_bytes, {0, 0, 0, 6 * kMiB}, "no median"),
                                            stage_with(Metric::shuffle_read_bytes, {kMiB, 3 * kMiB, 3 * kMiB, 6 * kMiB}, "high median")});
  EXPECT_EQ(names_of(findings), (std::vector<std::string>{"skew @ skewed", "heavy-key @ no median", "heavy-key @ high median"}));
  EXPECT_EQ(findings[1].message, "one of 4 tasks reads 6 MiB, 100 % of the 6 MiB of shuffle (limit: one part in 3)");
}

TEST(Evaluate, ImbalanceIsSilentWhereSkewOrHeavyKeySpeaks) {
  const auto rules = *load_rules({});
  constexpr std::int64_t kMiB = 1 << 20;
  const auto findings = findings_of(rules, {stage_with(Metric::shuffle_read_bytes, {kMiB, kMiB, 16 * kMiB}, "skewed"),
                                            stage_with(Metric::shuffle_read_bytes, {0, 0, 0, 6 * kMiB}, "no median"),
                                            stage_with(Metric::shuffle_read_bytes, {kMiB, 5 * kMiB, 10 * kMiB}, "three"),
                                            stage_with(Metric::shuffle_read_bytes, {kMiB, 7 * kMiB}, "two")});
  EXPECT_EQ(names_of(findings),
            (std::vector<std::string>{"skew @ skewed", "heavy-key @ no median", "imbalance @ three", "imbalance @ two"}));
  EXPECT_EQ(findings[2].level, Level::warning);
  EXPECT_EQ(findings[2].message, "one of 3 tasks reads 10 MiB of 16 MiB of shuffle, 1.88x an even share on 4 cores (limit 1.5x)");
}

TEST(Evaluate, ImbalanceSpeaksWhereHeavyKeyIsOff) {
  const auto rules = *load_rules({});
  RuleSettings settings;
  settings.id = "heavy-key";
  settings.level = Level::off;
  const std::vector<Stage> stages{stage_with(Metric::shuffle_read_bytes, {0, 0, 0, 6 << 20}, "no median")};
  const auto findings = evaluate(configure(rules, std::vector{settings}, "job", "variant"), {.stages = stages}, nullptr);
  ASSERT_TRUE(findings);
  EXPECT_EQ(names_of(*findings), (std::vector<std::string>{"imbalance @ no median"}));
}

TEST(Evaluate, PartitionsTooBigIsSilentWhereOneTaskMakesTheAverage) {
  const auto rules = *load_rules({});
  constexpr std::int64_t kGiB = 1 << 30;
  const auto findings = findings_of(rules, {stage_with(Metric::shuffle_read_bytes, {1, 1, 1, 2 * kGiB}, "skewed"),
                                            stage_with(Metric::shuffle_read_bytes, {0, 0, 0, 2 * kGiB}, "no median"),
                                            stage_with(Metric::shuffle_read_bytes, {kGiB, kGiB, kGiB, kGiB}, "even"),
                                            stage_with(Metric::input_bytes, {kGiB, kGiB}, "files")});
  EXPECT_EQ(names_of(findings), (std::vector<std::string>{"skew @ skewed", "heavy-key @ no median", "partitions-too-big @ even",
                                                          "partitions-too-big @ files"}));
  EXPECT_EQ(findings[2].message, "4 tasks read 1 GiB each on average (limit 256 MiB); shuffle read 4 GiB");
  EXPECT_EQ(findings[3].message, "2 tasks read 1 GiB each on average (limit 256 MiB); input 2 GiB");
}

TEST(Evaluate, TooManyFilesIsSilentWhereSmallTasksSpeaks) {
  const auto rules = *load_rules({});
  const auto writes = stage_with(Metric::output_bytes, std::vector<std::int64_t>(200, 20480), "scan, write");
  auto reads_and_writes = writes;
  reads_and_writes.key.label = "aggregate, write";
  reads_and_writes.metrics[index_of(Metric::shuffle_read_bytes)] = distribution_of(std::vector<std::int64_t>(200, 1000));
  const auto findings = findings_of(rules, {writes, reads_and_writes});
  EXPECT_EQ(names_of(findings), (std::vector<std::string>{"small-tasks @ aggregate, write", "too-many-files @ scan, write"}));
  EXPECT_EQ(findings[1].message, "200 tasks write 3.91 MiB in all, the median 20 KiB (limits: 100 tasks, 3 MiB a task on average)");
}

TEST(Evaluate, SpillAndFailedTasksAreWarnings) {
  const auto rules = *load_rules({});
  auto stage = stage_with(Metric::disk_spill_bytes, {1 << 20, 0});
  stage.failed = 2;
  stage.killed = 5;
  const auto findings = findings_of(rules, {stage});
  ASSERT_EQ(names_of(findings), (std::vector<std::string>{"spill @ join orders", "failed-tasks @ join orders"}));
  EXPECT_EQ(findings[0].level, Level::warning);
  EXPECT_EQ(findings[0].message, "spills 1 MiB to disk over 2 tasks");
  EXPECT_EQ(findings[0].value_thousandths, std::int64_t{1000} << 20);
  EXPECT_EQ(findings[1].level, Level::warning);
  EXPECT_EQ(findings[1].message, "2 failed task attempts, beside 2 tasks that succeeded");
}

TEST(Evaluate, FindingsComeInOrderOfRulesThenOfStages) {
  const std::vector<Rule> rules{own_rule("b"), own_rule("a")};
  auto first = stage_named("one");
  auto second = stage_named("two");
  first.tasks = second.tasks = 101;
  EXPECT_EQ(names_of(findings_of(rules, {first, second})), (std::vector<std::string>{"b @ one", "b @ two", "a @ one", "a @ two"}));
}

TEST(Evaluate, SilenceDoesNotDependOnTheOrderOfRulesAndAlsoComesFromTheSilenced) {
  auto stage = stage_named("one");
  stage.tasks = 101;
  for (const auto& rules : {std::vector<Rule>{own_rule("a", "[\"b\"]"), own_rule("b", "[\"c\"]"), own_rule("c")},
                            std::vector<Rule>{own_rule("c"), own_rule("b", "[\"c\"]"), own_rule("a", "[\"b\"]")}}) {
    EXPECT_EQ(names_of(findings_of(rules, {stage})), std::vector<std::string>{"c @ one"});
  }
}

TEST(Evaluate, ARuleThatIsOffSilencesNothing) {
  auto off = own_rule("b");
  off.level = Level::off;
  auto stage = stage_named("one");
  stage.tasks = 101;
  EXPECT_EQ(names_of(findings_of({own_rule("a", "[\"b\"]"), off}, {stage})), std::vector<std::string>{"a @ one"});
}

TEST(Evaluate, AFindingOfTheRunHasNoStage) {
  auto text = rule_with("scope = \"stage\"", "scope = \"run\"", rule_with("unless = [\"skew\"]\n", ""));
  text = rule_with("stage = { tasks = 101", "run = { tasks = 101", text);
  text = rule_with("stage = { tasks = 100", "run = { tasks = 100", text);
  auto stage = stage_named("one");
  stage.tasks = 60;
  const auto findings = findings_of({parsed(text)}, {stage, stage});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].stage_label, "");
  EXPECT_EQ(findings[0].stage_fingerprint, "");
  EXPECT_EQ(findings[0].stage_id, -1);
  EXPECT_EQ(findings[0].message, "120 tasks (limit 100)");
}

TEST(Evaluate, DivisionByZeroNamesTheRuleAndTheStage) {
  const auto rule = parsed(rule_with("tasks > limit", "tasks / failed > limit"));
  const auto findings = evaluate_rules({rule}, {stage_named("join orders")});
  ASSERT_FALSE(findings);
  EXPECT_EQ(findings.error().kind, ErrorKind::usage);
  EXPECT_EQ(findings.error().message, "own/r.toml: 'when' divides by zero on stage 'join orders'");
}

TEST(Evaluate, AGuardedDivisionIsNoError) {
  const auto rule = parsed(rule_with("tasks > limit", "failed > 0 && tasks / failed > limit"));
  EXPECT_TRUE(findings_of({rule}, {stage_named("join orders")}).empty());
}

TEST(Evaluate, AValueThatIsUnknownWhereTheRuleFiresIsAnError) {
  auto stage = stage_named("join orders");
  stage.tasks = 101;
  const auto unknown = evaluate_rules({parsed(rule_with("value = \"tasks\"", "value = \"input.sum\""))}, {stage});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "own/r.toml: 'value' is unknown where 'when' is true on stage 'join orders'");
  const auto divided = evaluate_rules({parsed(rule_with("value = \"tasks\"", "value = \"tasks / failed\""))}, {stage});
  ASSERT_FALSE(divided);
  EXPECT_EQ(divided.error().message, "own/r.toml: 'value' divides by zero on stage 'join orders'");
}

TEST(Evaluate, AMissingMetricNeverFires) {
  auto stage = stage_named("empty");
  stage.tasks = 0;
  stage.cores.reset();
  EXPECT_TRUE(findings_of(*load_rules({}), {stage}).empty());
}

TEST(Evaluate, WithoutStagesThereIsNothing) {
  EXPECT_TRUE(findings_of(*load_rules({}), {}).empty());
}

TEST(Evaluate, IsExactAtTheLimitForLargeStages) {
  const std::int64_t median = std::int64_t{1} << 50;
  const auto rules = only("skew");
  EXPECT_TRUE(findings_of(rules, {stage_with(Metric::shuffle_read_bytes, {median, median, median, 5 * median})}).empty());
  EXPECT_EQ(findings_of(rules, {stage_with(Metric::shuffle_read_bytes, {median, median, median, 5 * median + 1})}).size(), 1U);
  EXPECT_TRUE(findings_of(rules, {stage_with(Metric::shuffle_read_bytes, {median, median - 1, median, 5 * median - 1})}).empty());
}

TEST(Evaluate, IsExactAtTheLimitWhereTheMedianIsAHalf) {
  const std::int64_t middle = std::int64_t{1} << 49;
  const auto rules = only("skew");
  // The median is 2^49 - 0.5, the limit 5 * 2^49 - 2.5.
  EXPECT_TRUE(findings_of(rules, {stage_with(Metric::shuffle_read_bytes, {0, middle - 1, middle, 5 * middle - 3})}).empty());
  EXPECT_EQ(findings_of(rules, {stage_with(Metric::shuffle_read_bytes, {0, middle - 1, middle, 5 * middle - 2})}).size(), 1U);
}

TEST(Evaluate, ManyStagesTakeNoTime) {
  std::vector<Stage> stages;
  stages.reserve(20000);
  for (int i = 0; i < 20000; ++i) {
    stages.push_back(stage_with(Metric::shuffle_read_bytes, {10, 10, 10, i % 100}, fmt::format("stage {}", i)));
  }
  EXPECT_EQ(findings_of(*load_rules({}), stages).size(), 200U * 49U);
}

TEST(Thousandths, AreRoundedAndClamped) {
  EXPECT_EQ(thousandths_of(5.0485), 5049);
  EXPECT_EQ(thousandths_of(-1.5), -1500);
  EXPECT_EQ(thousandths_of(1e300), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(thousandths_of(-1e300), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(thousandths_of(std::numeric_limits<double>::infinity()), std::numeric_limits<std::int64_t>::max());
}

}  // namespace
}  // namespace stagegate
