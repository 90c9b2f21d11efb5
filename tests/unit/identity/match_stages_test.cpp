#include "identity/identify.h"

#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

using Keys = std::vector<StageKey>;
using Matches = std::vector<std::optional<std::size_t>>;

TEST(MatchStages, EqualFingerprintsComeFirst) {
  const Keys before{{"scan a", "f1"}, {"scan a (2)", "f2"}};
  const Keys after{{"scan a", "f2"}, {"scan a (2)", "f1"}};
  EXPECT_EQ(match_stages(before, after), (Matches{1, 0}));
}

TEST(MatchStages, ThenEqualLabelsAmongWhatIsLeft) {
  const Keys before{{"scan a", "f1"}, {"scan b", "f2"}};
  const Keys after{{"scan b", "f9"}, {"scan c", "f1"}};
  EXPECT_EQ(match_stages(before, after), (Matches{1, 0}));
}

TEST(MatchStages, AStageHasOnePartner) {
  const Keys before{{"scan a", "f1"}};
  const Keys after{{"scan a", "f2"}, {"scan a", "f1"}};
  EXPECT_EQ(match_stages(before, after), (Matches{std::nullopt, 0}));
}

TEST(MatchStages, ARenamedDescriptionDoesNotPartStagesThatDoTheSame) {
  const Keys before{{"refunds: scan a", "f1"}, {"refunds: sort by day", "f2"}};
  const Keys after{{"returns: sort by day", "f3"}, {"returns: scan a", "f4"}};
  EXPECT_EQ(match_stages(before, after), (Matches{1, 0}));
}

TEST(MatchStages, WhatOnlyTheDescriptionToldApartStaysOpen) {
  const Keys before{{"one: scan a", "f1"}, {"two: scan a", "f2"}};
  const Keys after{{"three: scan a", "f3"}};
  EXPECT_EQ(match_stages(before, after), (Matches{std::nullopt}));
}

TEST(MatchStages, NothingMatchesNothing) {
  EXPECT_EQ(match_stages(Keys{}, Keys{}), Matches{});
  EXPECT_EQ(match_stages(Keys{}, Keys{{"scan a", "f1"}}), (Matches{std::nullopt}));
}

}  // namespace
}  // namespace stagegate
