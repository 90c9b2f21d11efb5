#include "base/units.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

TEST(ParseSize, KnowsDecimalAndBinaryUnits) {
  struct Case {
    std::string text;
    std::int64_t bytes;
  };
  const std::vector<Case> cases{
      {"0 B", 0},        {"512B", 512},       {"1 kB", 1'000},           {"1KB", 1'000},  {"10MB", 10'000'000},    {"1 MiB", 1048576},
      {"1mib", 1048576}, {" 1.5 KiB ", 1536}, {"2.5 GB", 2'500'000'000}, {"0.1 kB", 100}, {"4TiB", 4398046511104},
  };
  for (const auto& c : cases) {
    const auto size = parse_size(c.text);
    ASSERT_TRUE(size) << c.text << ": " << size.error().message;
    EXPECT_EQ(*size, c.bytes) << c.text;
  }
}

TEST(ParseSize, SaysWhatIsWrong) {
  struct Case {
    std::string text;
    std::string message;
  };
  const std::string units = "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB";
  const std::vector<Case> cases{
      {"64", "'64' has no unit; write one of " + units + " behind the number"},
      {"64 MBit", "'64 MBit' has the unknown unit 'MBit'; known are " + units},
      {"large", "'large' is not a size; write a number and a unit (" + units + ")"},
      {"", "'' is not a size; write a number and a unit (" + units + ")"},
      {"-1 B", "'-1 B' is not a size; write a number and a unit (" + units + ")"},
      {"1.2.3 B", "'1.2.3 B' is not a size; write a number and a unit (" + units + ")"},
      {"99999999999 TiB", "'99999999999 TiB' is too large"},
  };
  for (const auto& c : cases) {
    const auto size = parse_size(c.text);
    ASSERT_FALSE(size) << c.text;
    EXPECT_EQ(size.error().message, c.message);
    EXPECT_EQ(size.error().kind, ErrorKind::usage);
  }
}

TEST(ParseDuration, KnowsItsUnits) {
  EXPECT_EQ(parse_duration("500 ms")->count(), 500);
  EXPECT_EQ(parse_duration("90s")->count(), 90'000);
  EXPECT_EQ(parse_duration("15 min")->count(), 900'000);
  EXPECT_EQ(parse_duration("1.5 h")->count(), 5'400'000);
  EXPECT_EQ(parse_duration("15").error().message, "'15' has no unit; write one of ms, s, min, h behind the number");
  EXPECT_EQ(parse_duration("15 m").error().message, "'15 m' has the unknown unit 'm'; known are ms, s, min, h");
}

TEST(FormatBytes, KeepsThreeDigits) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1024), "1 KiB");
  EXPECT_EQ(format_bytes(1065), "1.04 KiB");
  EXPECT_EQ(format_bytes(36756), "35.9 KiB");
  EXPECT_EQ(format_bytes(512LL << 20U), "512 MiB");
  EXPECT_EQ(format_bytes((1LL << 20U) - 1), "1 MiB");
  EXPECT_EQ(format_bytes(-2048), "-2 KiB");
  EXPECT_EQ(format_bytes(9223372036854775807), "8 EiB");
}

TEST(FormatBytes, IsExactWhereAsked) {
  EXPECT_EQ(format_bytes_exact(36756), "36,756 B");
  EXPECT_EQ(format_bytes_exact(0), "0 B");
}

TEST(FormatCount, GroupsDigits) {
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(-1234567), "-1,234,567");
}

TEST(FormatDuration, ChoosesItsUnits) {
  using std::chrono::milliseconds;
  EXPECT_EQ(format_duration(milliseconds(17)), "17 ms");
  EXPECT_EQ(format_duration(milliseconds(1234)), "1.2 s");
  EXPECT_EQ(format_duration(milliseconds(59'949)), "59.9 s");
  EXPECT_EQ(format_duration(milliseconds(59'951)), "1 min 00 s");
  EXPECT_EQ(format_duration(milliseconds(184'000)), "3 min 04 s");
  EXPECT_EQ(format_duration(milliseconds(3'720'000)), "1 h 02 min");
}

TEST(FormatRatio, HasNoTrailingZeros) {
  EXPECT_EQ(format_ratio(5), "5");
  EXPECT_EQ(format_ratio(8.04), "8.04");
  EXPECT_EQ(format_ratio(8.1), "8.1");
  EXPECT_EQ(format_ratio(412.4), "412");
  EXPECT_EQ(format_ratio(9.996), "10");
}

TEST(FormatUtc, IsIso) {
  EXPECT_EQ(format_utc(1'795'980'023'777), "2026-11-29T19:20:23Z");
}

}  // namespace
}  // namespace stagegate
