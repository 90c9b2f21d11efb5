#include "identity/link_stages.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "identity/kept_traits.h"

namespace stagegate {
namespace {

using Traits = std::vector<StageTraits>;

StageTraits stage(const std::string& name, std::vector<std::string> work, std::vector<std::size_t> producers, std::int64_t action) {
  StageTraits traits;
  traits.key = {.label = name, .fingerprint = "print of " + name};
  traits.purpose = "for the report";
  traits.work = std::move(work);
  traits.producers = std::move(producers);
  traits.action = action;
  return traits;
}

Traits report() {
  return {
      stage("scan orders", {"Scan parquet orders, ReadSchema: struct<id:bigint,amount:int>", "to shuffle Exchange hashpartitioning(id)"},
            {}, 4),
      stage("scan customers", {"Scan parquet customers, ReadSchema: struct<id:bigint>", "to shuffle Exchange hashpartitioning(id)"}, {}, 4),
      stage("join", {"SortMergeJoin [id], [id], Inner", "HashAggregate(keys=[country])", "to result"}, {0, 1}, 4),
      stage("count", {"Scan parquet out", "to result"}, {}, 6)};
}

Baseline baseline_of(const Traits& traits) {
  Baseline baseline;
  for (const auto& one : traits) {
    BaselineStage kept;
    kept.key = one.key;
    baseline.stages.push_back(std::move(kept));
  }
  std::sort(baseline.stages.begin(), baseline.stages.end(),
            [](const BaselineStage& a, const BaselineStage& b) { return a.key.label < b.key.label; });
  keep_traits(kept_traits(traits), baseline);
  return baseline;
}

std::string now(const StageLinks& links, const std::string& label_before) {
  const auto* const key = links.now("print of " + label_before);
  return key == nullptr ? "gone" : key->label;
}

StageLinks links_to(const Baseline& accepted, const Traits& traits) {
  return links_of(accepted, traits, match_baseline(accepted, traits));
}

TEST(KeptTraits, ComeBackFromABaselineInTheOrderInWhichTheyRan) {
  const auto kept = traits_of(baseline_of(report()));
  ASSERT_EQ(kept.traits.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(kept.traits[i].key, report()[i].key);
    EXPECT_EQ(kept.traits[i].purpose, report()[i].purpose);
    EXPECT_EQ(kept.traits[i].work, report()[i].work);
    EXPECT_EQ(kept.traits[i].producers, report()[i].producers);
  }
  EXPECT_EQ(kept.traits[0].action, kept.traits[2].action);
  EXPECT_NE(kept.traits[2].action, kept.traits[3].action);
}

TEST(KeptTraits, AFileThatWasMergedByHandIsReadAsFarAsItMakesSense) {
  auto baseline = baseline_of(report());
  baseline.actions = {{"print of join", "print of nothing", "print of join"}, {"print of scan orders"}};
  for (auto& one : baseline.stages) {
    one.producers.emplace_back("print of nothing");
  }
  const auto kept = traits_of(baseline);
  ASSERT_EQ(kept.traits.size(), 4U);
  EXPECT_EQ(kept.traits[0].key.label, "join");
  EXPECT_EQ(kept.traits[1].key.label, "scan orders");
  EXPECT_TRUE(kept.traits[0].producers.empty());  // they come later now, and no stage reads from a later one
}

TEST(KeptTraits, LongWorkIsCutAndStaysWhatItIs) {
  auto traits = report();
  traits[0].work[0] += std::string(1000, 'x');
  traits[1].work[0] += std::string(1000, 'x') + "y";
  for (int line = 0; line < 100; ++line) {
    traits[2].work.insert(traits[2].work.begin(), "Filter " + std::to_string(line));
  }
  const auto kept = kept_traits(traits);
  EXPECT_LE(kept[0].work[0].size(), kKeptLineLength);
  EXPECT_TRUE(kept[0].work[0].starts_with("Scan parquet orders, ReadSchema: struct<id:bigint,amount:int>"));
  EXPECT_EQ(kept[2].work.size(), kKeptLines);
  EXPECT_EQ(kept[2].work.back(), "to result");
  const auto twice = kept_traits(kept);
  EXPECT_EQ(twice[0].work, kept[0].work);
  EXPECT_EQ(twice[2].work, kept[2].work);
  traits[0].work[0] += "y";  // beyond what is kept
  EXPECT_NE(kept_traits(traits)[0].work, kept[0].work);
}

// Cut inside of "ü", the line would be no UTF-8 any more.
TEST(KeptTraits, ACutLineIsWholeText) {
  for (std::size_t length = kKeptLineLength - 20; length < kKeptLineLength; ++length) {
    auto traits = report();
    traits[0].work = {std::string(length, 'x') + "\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc"};
    const auto line = kept_traits(traits)[0].work[0];
    const auto end = line.find(" ... #");
    if (end != std::string::npos) {
      const auto bytes = line.substr(0, end);
      EXPECT_EQ((bytes.size() - bytes.find_last_of('x') - 1) % 2, 0U) << line;
    }
  }
}

TEST(LinkStages, AStageWithAnotherFingerprintIsFoundByItsWorkAndItsPlace) {
  auto after = report();
  after[2] = stage("join and sort", {"SortMergeJoin [id], [id], Inner", "HashAggregate(keys=[country])", "Sort [country]", "to result"},
                   {0, 1}, 4);
  const auto links = links_to(baseline_of(report()), after);
  EXPECT_EQ(now(links, "join"), "join and sort");
  EXPECT_EQ(now(links, "scan orders"), "scan orders");
  EXPECT_EQ(links.before("print of join and sort")->label, "join");
}

TEST(LinkStages, AStageThatIsNewHasNoPartnerAndOneThatIsGoneNeither) {
  auto after = report();
  after[3] = stage("write a table", {"Window [rank], [day]", "WriteFiles", "Execute InsertIntoHive", "to result"}, {2}, 8);
  after[3].purpose = "for another table";
  const auto links = links_to(baseline_of(report()), after);
  EXPECT_EQ(now(links, "count"), "gone");
  EXPECT_EQ(links.before("print of write a table"), nullptr);
}

TEST(LinkStages, ALabelIsTranslatedOnlyWhereTheWorkIsTheSame) {
  auto after = report();
  after[0].key = {.label = "monthly: scan orders", .fingerprint = "another"};
  after[0].purpose = "for the monthly report";
  after[2] = stage("join and sort", {"SortMergeJoin [id], [id], Inner", "HashAggregate(keys=[country])", "Sort [country]", "to result"},
                   {0, 1}, 4);
  const auto links = links_to(baseline_of(report()), after);
  EXPECT_EQ(links.label_of_same_work("scan orders"), "monthly: scan orders");
  EXPECT_EQ(links.label_of_same_work("join"), "join");
}

TEST(LinkStages, ABaselineOfTheFirstSchemaIsMatchedByItsKeys) {
  auto first = baseline_of(report());
  for (auto& one : first.stages) {
    one.work.clear();
    one.producers.clear();
  }
  first.actions.clear();
  auto after = report();
  after[2].key.fingerprint = "changed";
  const auto links = links_to(first, after);
  EXPECT_EQ(links.now("print of join")->fingerprint, "changed");  // by its label
  EXPECT_EQ(now(links, "scan orders"), "scan orders");
}

TEST(LinkStages, TwoBaselinesAreLinkedToo) {
  auto after = report();
  after[2].key = {.label = "join", .fingerprint = "changed"};
  after[2].work.insert(after[2].work.begin() + 1, "Sort [country]");
  const auto links = link_stages(baseline_of(report()), baseline_of(after));
  ASSERT_NE(links.now("print of join"), nullptr);
  EXPECT_EQ(links.now("print of join")->fingerprint, "changed");
}

}  // namespace
}  // namespace stagegate
