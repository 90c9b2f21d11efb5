#include "ingest/plain_json.h"

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

// Each way to find out, whichever of them is_plain_json() takes on this processor.
class PlainJson : public testing::TestWithParam<PlainCheck*> {
 protected:
  static bool is_plain(std::string_view text, int open = 0) { return GetParam()(text, open); }
};

std::vector<PlainCheck*> checks() {
  std::vector<PlainCheck*> checks{is_plain_json, plain_check_with_vectors};
  if (auto* const wide = plain_check_with_avx512()) {
    checks.push_back(wide);
  }
  return checks;
}

INSTANTIATE_TEST_SUITE_P(Ways, PlainJson, testing::ValuesIn(checks()), [](const auto& one) {
  return one.param == is_plain_json ? "fastest" : one.param == plain_check_with_vectors ? "vectors" : "avx512";
});

TEST_P(PlainJson, CountsWhatIsOpen) {
  EXPECT_TRUE(is_plain(""));
  EXPECT_TRUE(is_plain(R"({"a":[1,{"b":"c"}]})"));
  EXPECT_TRUE(is_plain("}]}", -3));
  EXPECT_TRUE(is_plain("{[{", 3));
  EXPECT_FALSE(is_plain("{"));
  EXPECT_FALSE(is_plain(R"({"a)", 1));
  for (const int size : {1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000, 4063, 4064, 4065, 4096, 8127, 8128, 8129, 100'000}) {
    const std::string open(static_cast<std::size_t>(size), '{');
    const std::string closed(static_cast<std::size_t>(size), ']');
    EXPECT_TRUE(is_plain(open, size)) << size;
    EXPECT_TRUE(is_plain(closed, -size)) << size;
    EXPECT_FALSE(is_plain(open, size - 1)) << size;
    EXPECT_EQ(is_plain(std::string(static_cast<std::size_t>(size), '"')), size % 2 == 0) << size;
  }
}

TEST_P(PlainJson, IsNotForAnythingStrange) {
  for (int c = 0; c < 256; ++c) {
    for (const std::size_t at : {0U, 31U, 32U, 63U, 64U, 95U, 96U, 99U}) {
      std::string text(100, 'x');
      text[at] = static_cast<char>(c);
      const bool strange = c < 0x20 || c >= 0x7F || c == '\\' || c == '"' || c == '{' || c == '}' || c == '[' || c == ']';
      EXPECT_EQ(is_plain(text), !strange) << c << " at " << at;
    }
  }
}

// One byte after the other, as the header says it.
struct ByteByByte {
  int open = 0;
  bool is_plain = true;
};

ByteByByte read(std::string_view text) {
  ByteByByte read;
  bool in_quotes = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    read.is_plain = read.is_plain && byte >= 0x20 && byte < 0x7F && c != '\\';
    in_quotes = in_quotes != (c == '"');
    read.open += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
  }
  read.is_plain = read.is_plain && !in_quotes;
  return read;
}

TEST_P(PlainJson, SaysWhatReadingEachByteSays) {
  std::mt19937 random(7);  // NOLINT(bugprone-random-generator-seed): the same each time
  const std::string_view marks = "{}[]\"";
  std::size_t plain = 0;
  for (std::size_t size = 0; size < 9000; size += 1 + size / 40) {
    std::string text(size, 'x');
    for (auto& c : text) {
      c = random() % 3 == 0 ? marks[random() % marks.size()] : static_cast<char>(' ' + random() % 59);
    }
    if (size > 0 && random() % 8 == 0) {
      text[random() % size] = "\\\x7F\x1F\x80\xFF"[random() % 5];
    }
    const auto expected = read(text);
    plain += expected.is_plain ? 1 : 0;
    EXPECT_EQ(is_plain(text, expected.open), expected.is_plain) << size;
    EXPECT_FALSE(is_plain(text, expected.open + 1));
    EXPECT_FALSE(is_plain(text, expected.open - 1));
  }
  EXPECT_GT(plain, 50U);
}

}  // namespace
}  // namespace stagegate
