#include "ingest/block_cutter.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "ingest/decoder.h"
#include "unit/ingest/codec_checks.h"
#include "unit/ingest/memory_source.h"

namespace stagegate {
namespace {

struct Cutting {
  std::vector<std::string> blocks;
  std::string rest;
};

Cutting cut(const std::string& text, std::size_t step, std::size_t block_bytes, std::size_t max_line_bytes = kMaxLineBytes) {
  const auto decoder = open_decoder(std::make_unique<MemorySource>(text, step), "log");
  BlockCutter cutter(**decoder, block_bytes, max_line_bytes);
  Cutting cutting;
  Block block;
  for (;;) {
    const auto more = cutter.next(block);
    EXPECT_TRUE(more);
    EXPECT_EQ(*(block.view().data() + block.size()), *more ? *(block.view().data() + block.size()) : '\n') << "a line feed behind the rest";
    if (!*more) {
      cutting.rest = block.view();
      return cutting;
    }
    cutting.blocks.emplace_back(block.view());
  }
}

TEST(BlockCutter, GivesWholeLinesForEveryStepAndSizeOfBlocks) {
  const auto text = sample_lines(300);
  for (const std::string& end : {std::string(), std::string("half a line"), std::string("\n\n"), std::string("\nx")}) {
    const auto whole = text + end;
    for (const std::size_t step : {1U, 7U, 100U, 1000U, 1'000'000U}) {
      for (const std::size_t block_bytes : {1U, 50U, 1000U, 100'000U}) {
        const auto cutting = cut(whole, step, block_bytes);
        for (const auto& block : cutting.blocks) {
          EXPECT_TRUE(block.ends_with('\n'));
        }
        EXPECT_EQ(joined(cutting.blocks) + cutting.rest, whole) << step << " " << block_bytes;
        EXPECT_EQ(cutting.rest, whole.substr(whole.rfind('\n') + 1));
      }
    }
  }
}

TEST(BlockCutter, OfNothingGivesNothing) {
  EXPECT_TRUE(cut("", 10, 100).blocks.empty());
  EXPECT_EQ(cut("", 10, 100).rest, "");
  EXPECT_EQ(cut("x", 10, 100).rest, "x");
}

TEST(BlockCutter, CutsBlocksOfAboutTheSizeThatIsWanted) {
  const auto text = sample_lines(5000);
  const auto cutting = cut(text, 100, 10'000);
  EXPECT_GT(cutting.blocks.size(), text.size() / 12'000);
  for (const auto& block : cutting.blocks) {
    EXPECT_LT(block.size(), 10'300U);
  }
}

// Of a line over the limit only a beginning is kept, and the lines around it are whole.
TEST(BlockCutter, KeepsOfAnOverlongLineOnlyItsBeginning) {
  const std::string overlong(100'000, 'x');
  for (const std::size_t step : {1U, 64U, 1000U}) {
    const auto cutting = cut("a\n" + overlong + "\nb\n" + overlong, step, 50, 500);
    const auto all = joined(cutting.blocks);
    EXPECT_TRUE(all.starts_with("a\nxxx"));
    EXPECT_TRUE(all.ends_with("x\nb\n"));
    const auto kept = all.size() - 5;
    EXPECT_GT(kept, 500U) << "a reader sees that it is too long";
    EXPECT_LE(kept, 500U + 1 + 1000);
    EXPECT_GT(cutting.rest.size(), 500U);
    EXPECT_LE(cutting.rest.size(), 501U);
  }
}

class FailingDecoder : public Decoder {
 public:
  Result<std::size_t> read(std::span<char> buffer) override {
    if (reads_++ < 2) {
      buffer[0] = '\n';
      return 1;
    }
    return fail(ErrorKind::evidence, "the disk is on fire");
  }
  std::string damage() const override { return {}; }

 private:
  int reads_ = 0;
};

TEST(BlockCutter, HandsTheErrorOfItsSourceOn) {
  FailingDecoder decoder;
  BlockCutter cutter(decoder, 100);
  Block block;
  const auto result = cutter.next(block);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "the disk is on fire");
}

}  // namespace
}  // namespace stagegate
