#include "manifest/suppress_block.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/text.h"
#include "unit/manifest/parse.h"

namespace stagegate {
namespace {

const ManifestContext kContext{"m.toml", "/repo", test_environment};
constexpr std::string_view kManifest = "[jobs.a]\napp = \"a.py\"\n";

Suppression because(std::string reason) {
  Suppression suppression;
  suppression.rule = "skew";
  suppression.job = "revenue";
  suppression.variant = "adaptive-off";
  suppression.stage = "join orders, customers on id";
  suppression.reason = std::move(reason);
  return suppression;
}

std::string added_to(std::string_view manifest, const std::vector<Suppression>& added) {
  const auto text = with_suppressions(manifest, added, kContext);
  if (!text) {
    ADD_FAILURE() << text.error().message;
    return {};
  }
  return *text;
}

TEST(SuppressBlock, SaysWhatIsMeantAndWhy) {
  auto suppression = because("guest orders, DATA-123");
  suppression.until = "2027-03-01";
  EXPECT_EQ(added_to(kManifest, {suppression}),
            "[jobs.a]\napp = \"a.py\"\n"
            "\n[[suppress]]\nrule = \"skew\"\njob = \"revenue\"\nvariant = \"adaptive-off\"\nstage = \"join orders, customers on id\"\n"
            "reason = \"guest orders, DATA-123\"\nuntil = 2027-03-01\n");
}

TEST(SuppressBlock, OfTheWholeRunNamesNoStage) {
  auto suppression = because("x");
  suppression.stage = glob_of("");
  EXPECT_EQ(suppress_block(suppression).find("stage"), std::string::npos);
}

TEST(SuppressBlock, IsReadBackAsItWasMeantWhateverTheReasonIs) {
  for (const auto* reason : {"said \"no\"", R"(C:\new\table)", "costs 5 $", "${HOME} and $$ and ${NO-SUCH}", "tab\there", "naïve – 日本語",
                             "'''", "\"\"\"", "# no comment", "{job} {{x}}", "\x01\x7F"}) {
    const auto manifest = parse_good(added_to(kManifest, {because("first"), because(reason)}));
    ASSERT_EQ(manifest.suppressions.size(), 2U);
    EXPECT_EQ(manifest.suppressions[1].reason, reason);
    EXPECT_EQ(manifest.suppressions[1].stage, "join orders, customers on id");
  }
}

TEST(SuppressBlock, KeepsEveryByteThatWasThere) {
  for (const std::string manifest : {"[jobs.a]\napp = \"a.py\"  # no line feed", "# \xC3\xA4\n\n\n[jobs.a]\napp='a.py'\n\n\n",
                                     "[jobs.a]\r\napp = 'a.py'\r\n", "[jobs.a]\r\napp = 'a.py'", "[[suppress]]\nrule='x'\nreason='y'\n"}) {
    const auto text = added_to(manifest, {because("x")});
    EXPECT_TRUE(text.starts_with(manifest));
    EXPECT_EQ(parse_good(text).suppressions.back().reason, "x");
  }
}

TEST(SuppressBlock, HasTheLineEndsOfTheManifest) {
  for (const std::string manifest : {"[jobs.a]\r\napp = 'a.py'\r\n", "[jobs.a]\r\napp = 'a.py'"}) {
    const auto text = added_to(manifest, {because("x")});
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
      EXPECT_EQ(text[at - 1], '\r') << at;
    }
    EXPECT_TRUE(text.ends_with("\r\n"));
  }
}

TEST(SuppressBlock, AManifestThatWouldNotBeReadAnyMoreIsLeftAlone) {
  const auto text = with_suppressions("suppress = []\n[jobs.a]\napp = 'a.py'\n", std::vector{because("x")}, kContext);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().kind, ErrorKind::usage);
  EXPECT_NE(text.error().message.find("suppressions cannot be added at its end, so it stays as it is:\nm.toml:5:1: not TOML"),
            std::string::npos)
      << text.error().message;
  EXPECT_NE(text.error().message.find("reason = \"x\""), std::string::npos) << "nothing that was typed is lost";
}

TEST(SuppressBlock, AnEmptyReasonIsNone) {
  EXPECT_FALSE(with_suppressions(kManifest, std::vector{because(" ")}, kContext));
}

TEST(GlobOf, FitsItsText) {
  const std::vector<std::pair<std::string, std::string>> globs{{"join orders [id]", "join orders [id]"},
                                                               {"count(*) by k?", "count(?) by k?"},
                                                               {"größer", "größer"},
                                                               {"bad \xFF \xC3\xA4", "bad ? ??"},
                                                               {"  ", "??"},
                                                               {"", "*"}};
  for (const auto& [text, glob] : globs) {
    EXPECT_EQ(glob_of(text), glob);
    EXPECT_TRUE(matches_glob(glob, text)) << text;
  }
  EXPECT_FALSE(matches_glob(glob_of("count(*)"), "count(everything)"));
}

TEST(Day, IsOneOfTheCalendar) {
  for (const auto* day : {"2027-03-01", "2028-02-29", "2026-12-31"}) {
    EXPECT_TRUE(is_day(day)) << day;
  }
  for (const auto* day :
       {"", "2027-02-29", "2027-13-01", "2027-00-10", "2027-3-1", "01.03.2027", "2027-03-01 ", "2027-03-0x", "tomorrow"}) {
    EXPECT_FALSE(is_day(day)) << day;
  }
}

}  // namespace
}  // namespace stagegate
