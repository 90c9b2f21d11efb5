#include "base/text.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

using namespace std::string_view_literals;

TEST(Glob, MatchesTheWholeText) {
  struct Case {
    std::string_view pattern;
    std::string_view text;
    bool matches;
  };
  const std::vector<Case> cases{
      {"", "", true},
      {"", "a", false},
      {"*", "", true},
      {"*", "anything", true},
      {"adaptive", "adaptive", true},
      {"adaptive", "adaptive-off", false},
      {"adaptive-*", "adaptive-off", true},
      {"adaptive-*", "adaptive", false},
      {"*off", "adaptive-off", true},
      {"a?c", "abc", true},
      {"a?c", "ac", false},
      {"a*b*c", "aXbYc", true},
      {"a*b*c", "aXbY", false},
      {"**", "x", true},
      {"[ab]", "a", false},
      {"[ab]", "[ab]", true},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(matches_glob(c.pattern, c.text), c.matches) << c.pattern << " over " << c.text;
  }
}

TEST(Glob, OneOfSeveralIsEnoughAndNoneIsEverything) {
  const std::vector<std::string> patterns{"a*", "?b"};
  EXPECT_TRUE(matches_any_glob(patterns, "abc"));
  EXPECT_TRUE(matches_any_glob(patterns, "bb"));
  EXPECT_FALSE(matches_any_glob(patterns, "ba"));
  EXPECT_TRUE(matches_any_glob({}, "anything"));
}

TEST(Glob, StaysFastOnManyStars) {
  const std::string text(2000, 'a');
  EXPECT_FALSE(matches_glob("*a*a*a*a*a*a*a*a*a*a*b", text));
}

TEST(NearestName, FindsTypingMistakesAndNothingElse) {
  const std::vector<std::string> names{"max-ratio", "min-bytes", "level"};
  EXPECT_EQ(nearest_name("max-ration", names), "max-ratio");
  EXPECT_EQ(nearest_name("levle", names), "level");
  EXPECT_EQ(nearest_name("LEVEL", names), "level");
  EXPECT_EQ(nearest_name("owner", names), std::nullopt);
  EXPECT_EQ(nearest_name("x", {}), std::nullopt);
}

TEST(NearestName, CountsASwapOfNeighboursAsOneStep) {
  const std::vector<std::string> names{"run", "rum"};
  EXPECT_EQ(nearest_name("rnu", names), "run");
}

TEST(CleanText, RemovesTerminalSequences) {
  EXPECT_EQ(clean_text("\x1B[31mred\x1B[0m and \x1B[1;4mbold"), "red and bold");
  EXPECT_EQ(clean_text("\x1B]0;title\atext"), "text");
  EXPECT_EQ(clean_text("\x1B]8;;http://x\x1B\\link"), "link");
}

TEST(CleanText, ShowsWhatXmlForbids) {
  EXPECT_EQ(clean_text("a\x01z"), "a#x1z");
  EXPECT_EQ(clean_text("a\0b"sv), "a#x0b");
  EXPECT_EQ(clean_text("\x7F"), "#x7F");
  EXPECT_EQ(clean_text("\xEF\xBF\xBF"), "#xFFFF");
  // A sequence that was cut leaves its escape behind.
  EXPECT_EQ(clean_text("cut \x1B"), "cut #x1B");
  EXPECT_EQ(clean_text("cut \x1B[3"), "cut #x1B[3");
}

TEST(CleanText, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(clean_text("a\xFFz"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(clean_text("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // overlong
  EXPECT_EQ(clean_text("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // a surrogate
  EXPECT_EQ(clean_text("\xE2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // cut short
  EXPECT_EQ(clean_text("gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80"), "gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80");
}

TEST(CleanText, EndsLinesInOneWay) {
  EXPECT_EQ(clean_text("a\r\nb\rc\n"), "a\nb\nc\n");
}

TEST(ShortenMiddle, KeepsHeadAndTailAndSaysWhatIsGone) {
  const std::string text = std::string(100, 'h') + std::string(100, 't');
  const auto shortened = shorten_middle(text, 88);
  EXPECT_EQ(shortened, std::string(20, 'h') + "\n... 160 bytes cut ...\n" + std::string(20, 't'));
  EXPECT_EQ(shorten_middle("short", 5), "short");
}

TEST(ShortenMiddle, NeverCutsACharacter) {
  std::string text;
  for (int i = 0; i < 100; ++i) {
    text += "\xE2\x82\xAC";
  }
  for (std::size_t size = 0; size < 299; ++size) {
    EXPECT_EQ(clean_text(shorten_middle(text, size)).find("\xEF\xBF\xBD"), std::string::npos) << size;
  }
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(split("a,,b,", ','), (std::vector<std::string>{"a", "", "b", ""}));
  EXPECT_EQ(split("", ','), (std::vector<std::string>{""}));
}

TEST(Trim, TakesWhiteSpaceFromBothEnds) {
  EXPECT_EQ(trim(" \t a b \n"), "a b");
  EXPECT_EQ(trim(" \n "), "");
}

}  // namespace
}  // namespace stagegate
