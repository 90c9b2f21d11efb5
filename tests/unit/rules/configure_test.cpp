#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/evaluate.h"

namespace stagegate {
namespace {

const std::vector<Rule>& builtin() {
  static const std::vector<Rule> rules = *load_rules({});
  return rules;
}

RuleParameterValue written(std::variant<std::int64_t, double, std::string, bool> value, std::uint32_t line) {
  return {std::move(value), {"stagegate.toml", line, 12}, {"stagegate.toml", line, 1}};
}

RuleSettings settings_for(const std::string& id) {
  RuleSettings settings;
  settings.id = id;
  settings.at = {"stagegate.toml", 10, 1};
  return settings;
}

std::string error_of(const std::vector<RuleSettings>& settings) {
  const auto status = check_settings(builtin(), settings);
  if (status) {
    return {};
  }
  EXPECT_EQ(status.error().kind, ErrorKind::usage);
  return status.error().message;
}

std::string error_of(const std::string& rule, const std::string& parameter, RuleParameterValue value) {
  auto settings = settings_for(rule);
  settings.parameters[parameter] = std::move(value);
  return error_of({settings});
}

const ConfiguredRule* find(const std::vector<ConfiguredRule>& rules, const std::string& id) {
  for (const auto& one : rules) {
    if (one.rule->id == id) {
      return &one;
    }
  }
  return nullptr;
}

TEST(CheckSettings, AcceptsWhatFits) {
  EXPECT_EQ(error_of("skew", "factor", written(std::int64_t{5}, 11)), "");
  EXPECT_EQ(error_of("skew", "factor", written(4.5, 11)), "");
  EXPECT_EQ(error_of("skew", "factor", written(std::int64_t{0}, 11)), "");
  EXPECT_EQ(error_of("skew", "min_bytes", written("0 B", 11)), "");
  EXPECT_EQ(error_of("skew", "min_bytes", written("1.5 MiB", 11)), "");
  EXPECT_EQ(error_of("failed-tasks", "allowed", written(2.0, 11)), "");
}

TEST(CheckSettings, NamesTheNearestRuleAndParameter) {
  EXPECT_EQ(error_of({settings_for("skwe")}), "stagegate.toml:10:1: unknown rule 'skwe'; did you mean 'skew'?");
  EXPECT_EQ(error_of({settings_for("xyzzy")}),
            "stagegate.toml:10:1: unknown rule 'xyzzy'; there are skew, heavy-key, imbalance, small-tasks, partitions-too-big, "
            "too-many-files, growth, lost-broadcast, lost-cache, new-shuffle, unstable-input, spill, failed-tasks, cache-unused, "
            "job-group-left-set");
  EXPECT_EQ(error_of("skew", "fcator", written(5.0, 11)),
            "stagegate.toml:11:1: rule 'skew' has no parameter 'fcator'; did you mean 'factor'?");
  EXPECT_EQ(error_of("skew", "limit", written(5.0, 11)),
            "stagegate.toml:11:1: rule 'skew' has no parameter 'limit'; it has factor, min_bytes");
}

TEST(CheckSettings, ASizeNeedsAUnit) {
  EXPECT_EQ(error_of("skew", "min_bytes", written(std::int64_t{0}, 11)),
            "stagegate.toml:11:12: 'min_bytes' is a size: write it with a unit, such as \"1 MiB\"; 0 has none");
  EXPECT_EQ(error_of("skew", "min_bytes", written(1.5, 11)),
            "stagegate.toml:11:12: 'min_bytes' is a size: write it with a unit, such as \"1 MiB\"; 1.5 has none");
  EXPECT_EQ(
      error_of("skew", "min_bytes", written("5", 11)),
      "stagegate.toml:11:12: 'min_bytes' is a size: '5' has no unit; write one of B, kB, MB, GB, TB, KiB, MiB, GiB, TiB behind the number");
  EXPECT_EQ(error_of("skew", "min_bytes", written("-1 MiB", 11)),
            "stagegate.toml:11:12: 'min_bytes' is a size: '-1 MiB' is not a size; write a number and a unit (B, kB, MB, GB, TB, KiB, MiB, "
            "GiB, TiB)");
}

TEST(CheckSettings, ARatioOrACountNeedsANumber) {
  EXPECT_EQ(error_of("skew", "factor", written("5", 11)), "stagegate.toml:11:12: 'factor' must be a number, not the text \"5\"");
  EXPECT_EQ(error_of("skew", "factor", written(true, 11)), "stagegate.toml:11:12: 'factor' must be a number, not true");
  EXPECT_EQ(error_of("skew", "factor", written(-0.5, 11)), "stagegate.toml:11:12: 'factor' must not be negative, but is -0.5");
  EXPECT_EQ(error_of("failed-tasks", "allowed", written(2.5, 11)), "stagegate.toml:11:12: 'allowed' is a count: 2.5 is no whole number");
}

TEST(CheckSettings, TellsOfEverythingAtOnceInTheOrderOfTheManifest) {
  auto skew = settings_for("skew");
  skew.at.line = 20;
  skew.parameters["factor"] = written("5", 22);
  RuleOverride own;
  own.parameters["min_bites"] = written("1 MiB", 31);
  skew.overrides.push_back(own);
  auto unknown = settings_for("grwth");
  EXPECT_EQ(error_of({skew, unknown}),
            "stagegate.toml:10:1: unknown rule 'grwth'; did you mean 'growth'?\n"
            "stagegate.toml:22:12: 'factor' must be a number, not the text \"5\"\n"
            "stagegate.toml:31:1: rule 'skew' has no parameter 'min_bites'; did you mean 'min_bytes'?");
}

TEST(Configure, WithoutSettingsEachRuleHasItsOwn) {
  const auto rules = configure(builtin(), {}, "revenue", "default");
  ASSERT_EQ(rules.size(), builtin().size());
  EXPECT_EQ(find(rules, "skew")->level, Level::error);
  EXPECT_EQ(find(rules, "spill")->level, Level::warning);
  EXPECT_EQ(find(rules, "skew")->parameters, (std::map<std::string, double>{{"factor", 5}, {"min_bytes", 0}}));
}

TEST(Configure, SettingsLieOverTheRule) {
  auto skew = settings_for("skew");
  skew.level = Level::warning;
  skew.parameters["min_bytes"] = written("1 MiB", 11);
  const auto rules = configure(builtin(), std::vector{skew}, "revenue", "default");
  EXPECT_EQ(find(rules, "skew")->level, Level::warning);
  EXPECT_EQ(find(rules, "skew")->parameters, (std::map<std::string, double>{{"factor", 5}, {"min_bytes", 1048576}}));
}

TEST(Configure, TheFirstFittingOverrideWins) {
  auto skew = settings_for("skew");
  skew.parameters["factor"] = written(std::int64_t{6}, 11);
  RuleOverride first;
  first.job = "rev*";
  first.variant = "adaptive-*";
  first.level = Level::warning;
  RuleOverride second;
  second.job = "revenue";
  second.parameters["factor"] = written(std::int64_t{9}, 15);
  skew.overrides = {first, second};
  const auto factor = [&](const std::string& job, const std::string& variant) {
    return find(configure(builtin(), std::vector{skew}, job, variant), "skew")->parameters.at("factor");
  };
  EXPECT_EQ(factor("revenue", "adaptive-off"), 6);
  EXPECT_EQ(factor("revenue", "default"), 9);
  EXPECT_EQ(factor("other", "adaptive-off"), 6);
  EXPECT_EQ(find(configure(builtin(), std::vector{skew}, "revenue", "adaptive-off"), "skew")->level, Level::warning);
  EXPECT_EQ(find(configure(builtin(), std::vector{skew}, "revenue", "default"), "skew")->level, Level::error);
}

TEST(Configure, OffDropsARuleAndAnOverrideBringsItBack) {
  auto skew = settings_for("skew");
  skew.level = Level::off;
  RuleOverride own;
  own.job = "revenue";
  own.level = Level::error;
  skew.overrides = {own};
  EXPECT_EQ(find(configure(builtin(), std::vector{skew}, "other", "default"), "skew"), nullptr);
  EXPECT_NE(find(configure(builtin(), std::vector{skew}, "revenue", "default"), "skew"), nullptr);
}

}  // namespace
}  // namespace stagegate
