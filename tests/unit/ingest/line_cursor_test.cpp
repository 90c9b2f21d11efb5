#include "ingest/line_cursor.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

// A line, and what may stand behind it: quotes, digits and brackets that must not count.
class PaddedLine {
 public:
  explicit PaddedLine(const std::string& line, char behind = '7')
      : bytes_(line + "\n" + std::string(kLinePadding - 1, behind)), size_(line.size()) {}

  LineCursor cursor() const { return LineCursor(std::string_view(bytes_).substr(0, size_)); }

 private:
  std::string bytes_;
  std::size_t size_;
};

std::optional<std::int64_t> integer_of(const std::string& line) {
  const PaddedLine padded(line);
  auto cursor = padded.cursor();
  const auto value = cursor.integer();
  return cursor.failed() ? std::nullopt : std::optional(value);
}

std::optional<std::string> text_of(const std::string& line, char behind = '"') {
  const PaddedLine padded(line, behind);
  auto cursor = padded.cursor();
  const auto text = cursor.text();
  return cursor.failed() ? std::nullopt : std::optional(std::string(text));
}

TEST(LineCursor, ReadsNumbersOfEveryLength) {
  const std::string digits = "123456789012345678";
  for (std::size_t size = 1; size <= digits.size(); ++size) {
    const auto text = digits.substr(0, size);
    EXPECT_EQ(integer_of(text + ","), std::stoll(text));
    EXPECT_EQ(integer_of("-" + text + "}"), -std::stoll(text));
    const auto nines = std::string(size, '9');
    EXPECT_EQ(integer_of(nines + "}"), std::stoll(nines));
    EXPECT_EQ(integer_of("1" + std::string(size - 1, '0') + ","), std::stoll("1" + std::string(size - 1, '0')));
  }
  EXPECT_EQ(integer_of("0,"), 0);
  EXPECT_EQ(integer_of("-0,"), 0);
}

TEST(LineCursor, LeavesNumbersThatAreWrittenOtherwise) {
  for (const auto* text : {"", ",", "-", "-,", "01,", "00,", "1.5,", "1e3,", "1 ,", "+1,", "1]", "1", "12345678", "1234567a,",
                           "12345678:", "/,", ":,", "1\x80,", "123456789012\xB1,"}) {
    EXPECT_EQ(integer_of(text), std::nullopt) << text;
  }
  for (std::size_t size = 19; size < 60; ++size) {
    EXPECT_EQ(integer_of(std::string(size, '1') + ","), std::nullopt) << size;
  }
}

TEST(LineCursor, GoesOnBehindANumber) {
  const PaddedLine padded(R"(12345678,"Index":-9})");
  auto cursor = padded.cursor();
  EXPECT_EQ(cursor.integer(), 12345678);
  EXPECT_TRUE(cursor.next_field());
  EXPECT_FALSE(cursor.skip_if(KeyText("Inde")));
  EXPECT_FALSE(cursor.skip_if(KeyText("Index ")));
  EXPECT_TRUE(cursor.skip_if(KeyText("Index")));
  EXPECT_EQ(cursor.integer(), -9);
  EXPECT_FALSE(cursor.next_field());
  EXPECT_TRUE(!cursor.failed() && cursor.rest().empty());
}

TEST(LineCursor, ASmallIntegerHasThirtyOneBits) {
  const auto small = [](const std::string& line) {
    const PaddedLine padded(line);
    auto cursor = padded.cursor();
    const auto value = cursor.small_integer();
    return cursor.failed() ? std::nullopt : std::optional(value);
  };
  EXPECT_EQ(small("2147483647,"), 2147483647);
  EXPECT_EQ(small("2147483648,"), std::nullopt);
  EXPECT_EQ(small("-1,"), std::nullopt);
}

TEST(LineCursor, ReadsTextsOfEveryLength) {
  for (std::size_t size = 0; size < 40; ++size) {
    const std::string text(size, 'x');
    EXPECT_EQ(text_of('"' + text + "\","), text);
    EXPECT_EQ(text_of('"' + text), std::nullopt) << "the quote behind the line is none of its own";
    for (std::size_t at = 0; at < size; ++at) {
      for (const char strange : {'\\', '\x1F', '\0', '\x7F', '\x80', '\xFF'}) {
        auto broken = text;
        broken[at] = strange;
        EXPECT_EQ(text_of('"' + broken + "\","), std::nullopt) << size << " with " << int{strange} << " at " << at;
      }
    }
    EXPECT_EQ(text_of('"' + text + "\"\\\x01\","), text) << "what is behind the text is not looked at";
  }
  EXPECT_EQ(text_of("x\""), std::nullopt);
  EXPECT_EQ(text_of("\" !#[]^~\""), " !#[]^~");
}

TEST(KeyText, IsAKeyAsItStandsInALine) {
  constexpr KeyText key("Merged Remote Requests Duration");
  EXPECT_EQ(key.name(), "Merged Remote Requests Duration");
  EXPECT_EQ(key.size(), key.name().size() + 3);
  std::string line = R"("Merged Remote Requests Duration":1)";
  EXPECT_TRUE(PaddedLine(line).cursor().skip_if(key));
  for (std::size_t i = 0; i < key.size(); ++i) {
    auto other = line;
    other[i] = '_';
    EXPECT_FALSE(PaddedLine(other).cursor().skip_if(key)) << i;
    EXPECT_FALSE(PaddedLine(line.substr(0, i)).cursor().skip_if(key)) << i;
  }
}

}  // namespace
}  // namespace stagegate
