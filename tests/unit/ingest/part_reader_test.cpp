#include "ingest/part_reader.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ingest/line_splitter.h"
#include "unit/ingest/spark_lines.h"

namespace stagegate {
namespace {

// Gives TEXT a line at a time, and counts.
class LineDecoder : public Decoder {
 public:
  explicit LineDecoder(std::string text, std::string damage = {}) : text_(std::move(text)), damage_(std::move(damage)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    ++reads;
    const auto line = std::string_view(text_).substr(given_, text_.find('\n', given_) + 1 - given_);
    given_ += line.size();
    return line.copy(buffer.data(), buffer.size());
  }
  std::string damage() const override { return damage_; }

  int reads = 0;

 private:
  std::string text_;
  std::string damage_;
  std::size_t given_ = 0;
};

PartReader::OnEvent up_to(int most, int& events) {
  return [most, &events](Event&, std::size_t) { return ++events < most; };
}

std::string text_of(const PartSummary& summary) {
  return fmt::format("{} lines, {} events, {} unknown, {} malformed, {} broken at {}, {}, begins {}", summary.lines, summary.events,
                     summary.unknown_events, summary.malformed_lines, summary.broken_lines,
                     summary.broken_lines == 0 ? 0 : summary.first_broken_line,
                     summary.cut ? fmt::format("cut {} {}", summary.cut->in_line, summary.cut->damage) : "whole", summary.begin);
}

TEST(PartReader, ReadsNoFurtherThanItIsAskedTo) {
  std::string text;
  for (int i = 0; i < 100; ++i) {
    text += task_end({.index = i}) + "\n";
  }
  PartReader reader;
  LineDecoder decoder(text, "damaged");
  int events = 0;
  const auto summary = reader.read(decoder, up_to(5, events));
  ASSERT_TRUE(summary);
  EXPECT_EQ(events, 5);
  EXPECT_EQ(decoder.reads, 5);
  EXPECT_EQ(summary->events, 5);
  EXPECT_FALSE(summary->cut) << "what was not read is not missing";
}

TEST(PartReader, SaysWithEachEventHowLongItsLineIs) {
  const auto task = task_end({});
  LineDecoder decoder(log_start() + "\n" + task + "\r\n\n" + application_end());
  std::vector<std::size_t> sizes;
  PartReader reader;
  EXPECT_TRUE(reader.read(decoder, [&](Event&, std::size_t line_bytes) {
    sizes.push_back(line_bytes);
    return true;
  }));
  EXPECT_EQ(sizes, (std::vector{log_start().size(), task.size() + 1, application_end().size()}));
}

// Whole, or in two pieces with the rest behind them, wherever they meet.
TEST(PartReader, SaysTheSameOfPiecesAsOfTheWhole) {
  const auto piece = [](std::string_view text) { return std::string(text) + "\n" + std::string(kLinePadding, 'x'); };
  const std::vector<std::string> parts{log_start(),    "broken",          "",  R"({"Event":"org.example.Mine"})",
                                       "broken again", application_end(), "{", "  "};
  for (const auto& rest : {std::string(), std::string("{\"Ev"), application_end()}) {
    for (const auto& damage : {std::string(), std::string("its last block is cut off")}) {
      std::string text;
      for (const auto& part : parts) {
        text += part + "\n";
      }
      int whole_events = 0;
      LineDecoder decoder(text + rest, damage);
      PartReader reader;
      const auto whole = reader.read(decoder, up_to(100, whole_events));
      for (std::size_t border = 0; border <= text.size(); border = text.find('\n', border) + 1) {
        int events = 0;
        const auto first = piece(text.substr(0, border));
        const auto second = piece(text.substr(border));
        const auto third = piece(rest);
        auto summary = reader.read_lines(std::string_view(first).substr(0, border), up_to(100, events));
        append(summary, reader.read_lines(std::string_view(second).substr(0, text.size() - border), up_to(100, events)));
        append(summary, reader.read_rest(std::string_view(third).substr(0, rest.size()), damage, up_to(100, events)));
        EXPECT_EQ(text_of(summary), text_of(*whole));
        EXPECT_EQ(events, whole_events);
        if (border == text.size()) {
          break;
        }
      }
    }
  }
}

TEST(PartReader, KeepsTheFirst4KiBOfAPart) {
  const std::string line(1000, 'x');
  std::string text;
  for (int i = 0; i < 10; ++i) {
    text += line + "\n";
  }
  int events = 0;
  PartReader reader;
  LineDecoder decoder(text);
  EXPECT_EQ(reader.read(decoder, up_to(1, events))->begin, text.substr(0, 4096));
}

}  // namespace
}  // namespace stagegate
