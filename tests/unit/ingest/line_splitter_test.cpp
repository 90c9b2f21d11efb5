#include "ingest/line_splitter.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

struct Split {
  std::vector<std::string> lines;
  std::string rest;
  friend bool operator==(const Split&, const Split&) = default;
};

// Feeds TEXT in steps of at most STEP bytes, and touches all the padding that is promised behind a line.
Split split_in_steps(std::string_view text, std::size_t chunk_bytes, std::size_t step, std::size_t max_line_bytes = kMaxLineBytes) {
  LineSplitter splitter(chunk_bytes, max_line_bytes);
  Split result;
  int padding_sum = 0;
  const auto take = [&](std::string_view line) {
    result.lines.emplace_back(line);
    padding_sum = std::accumulate(line.data() + line.size(), line.data() + line.size() + kLinePadding, padding_sum);
    return true;
  };
  while (!text.empty()) {
    const auto room = splitter.room();
    const auto count = std::min({step, text.size(), room.size()});
    std::memcpy(room.data(), text.data(), count);
    text.remove_prefix(count);
    splitter.filled(count, take);
  }
  result.rest = splitter.finish();
  return result;
}

TEST(LineSplitter, GivesTheSameLinesForEveryChunkSize) {
  const std::string text = "one\n\ntwo two\n" + std::string(300, 'x') + "\n\n\nlast";
  const Split expected{{"one", "", "two two", std::string(300, 'x'), "", ""}, "last"};
  for (std::size_t chunk_bytes = 1; chunk_bytes < 40; ++chunk_bytes) {
    for (std::size_t step = 1; step <= chunk_bytes; ++step) {
      EXPECT_EQ(split_in_steps(text, chunk_bytes, step), expected) << chunk_bytes << " " << step;
    }
  }
  EXPECT_EQ(split_in_steps(text, 4096, 4096), expected);
}

// A reader that takes lines of "a" by itself, however much of them is there.
TEST(LineSplitter, LetsItsReaderFindTheEndOfALine) {
  const std::string text = "aaa\nb\n\naa\naaaaaaaaaaaa\ncc\na\naaaa";
  for (std::size_t chunk_bytes = 1; chunk_bytes < 40; ++chunk_bytes) {
    LineSplitter splitter(chunk_bytes);
    std::vector<std::string> lines;
    for (std::string_view left = text; !left.empty();) {
      const auto room = splitter.room();
      const auto count = std::min(left.size(), room.size());
      std::memcpy(room.data(), left.data(), count);
      left.remove_prefix(count);
      splitter.filled(
          count,
          [&](std::string_view bytes) -> TakenLine {
            EXPECT_EQ(bytes.data()[bytes.size()], '\n');
            const auto size = bytes.find('\n');
            if (size == std::string_view::npos || !bytes.starts_with('a')) {
              return {};
            }
            lines.emplace_back(bytes.substr(0, size));
            return {.size = size};
          },
          [&](std::string_view line) {
            EXPECT_FALSE(line.starts_with('a')) << chunk_bytes;
            lines.emplace_back(line);
            return true;
          });
    }
    EXPECT_EQ(lines, (std::vector<std::string>{"aaa", "b", "", "aa", "aaaaaaaaaaaa", "cc", "a"})) << chunk_bytes;
    EXPECT_EQ(splitter.finish(), "aaaa");
  }
}

TEST(LineSplitter, StopsWhereTheReaderOfAWholeLineSaysSo) {
  LineSplitter splitter(16);
  std::memcpy(splitter.room().data(), "a\nb\nc\n", 6);
  std::string taken;
  const auto take_first = [&](std::string_view bytes) -> TakenLine {
    taken += bytes.front();
    return {.size = 1, .go_on = taken.size() < 2};
  };
  EXPECT_FALSE(splitter.filled(6, take_first, [](std::string_view) { return true; }));
  EXPECT_EQ(taken, "ab");
}

TEST(LineSplitter, HasNoRestBehindALineFeed) {
  EXPECT_EQ(split_in_steps("a\nb\n", 16, 16), (Split{{"a", "b"}, ""}));
}

// Its reader sees that it is over the limit; what follows is as if it were not there.
TEST(LineSplitter, KeepsOnlyTheBeginningOfALineThatIsTooLong) {
  const std::string text = "one\n" + std::string(5000, 'x') + "\ntwo\n" + std::string(5000, 'y');
  for (const std::size_t step : {1U, 7U, 16U}) {
    const auto split = split_in_steps(text, 16, step, 100);
    ASSERT_EQ(split.lines.size(), 3U);
    EXPECT_EQ(split.lines[0], "one");
    EXPECT_GT(split.lines[1].size(), 100U);
    EXPECT_LE(split.lines[1].size(), 100U + 1 + 16);
    EXPECT_EQ(split.lines[2], "two");
    EXPECT_GT(split.rest.size(), 100U);
    EXPECT_LE(split.rest.size(), 100U + 1 + 16);
  }
}

TEST(LineSplitter, StopsWhereItIsTold) {
  LineSplitter splitter(16);
  std::memcpy(splitter.room().data(), "a\nb\nc\n", 6);
  std::string seen;
  EXPECT_FALSE(splitter.filled(6, [&](std::string_view line) {
    seen += line;
    return seen.size() < 2;
  }));
  EXPECT_EQ(seen, "ab");
}

// As behind every other line: what a parser takes a broken line for may depend on it.
TEST(LineSplitter, HasALineFeedBehindTheLastLineToo) {
  LineSplitter splitter(16);
  std::memset(splitter.room().data(), '}', 16);
  EXPECT_TRUE(splitter.filled(3, [](std::string_view) { return true; }));
  const auto rest = splitter.finish();
  EXPECT_EQ(rest, "}}}");
  EXPECT_EQ(*(rest.data() + rest.size()), '\n');
}

TEST(LineSplitter, OfNothingHasNoLine) {
  EXPECT_EQ(split_in_steps("", 16, 16), (Split{{}, ""}));
}

TEST(LineSplitter, AlwaysHasRoomForAChunk) {
  LineSplitter splitter(8);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(splitter.room().size(), 8U);
    std::memset(splitter.room().data(), 'x', 8);
    splitter.filled(8, [](std::string_view) {
      ADD_FAILURE() << "there is no line feed";
      return true;
    });
  }
  EXPECT_EQ(splitter.finish(), std::string(800, 'x'));
}

}  // namespace
}  // namespace stagegate
