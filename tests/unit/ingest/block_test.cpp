#include "ingest/block.h"

#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

void append(Block& block, std::string_view bytes) {
  std::memcpy(block.room(bytes.size()), bytes.data(), bytes.size());
  block.grow(bytes.size());
}

TEST(Block, KeepsWhatIsInItAsItGrows) {
  Block block;
  std::string expected;
  for (int i = 0; i < 1000; ++i) {
    append(block, std::to_string(i));
    expected += std::to_string(i);
    ASSERT_EQ(block.view(), expected);
    ASSERT_GE(block.capacity(), block.size());
  }
}

TEST(Block, KeepsItsMemoryWhereItShrinks) {
  Block block;
  append(block, "twelve bytes");
  const auto* const bytes = block.view().data();
  const auto capacity = block.capacity();
  block.shrink(3);
  EXPECT_EQ(block.view(), "twe");
  EXPECT_EQ(block.capacity(), capacity);
  append(block, "lve");
  EXPECT_EQ(block.view().data(), bytes);
}

TEST(Block, IsEmptyAndOfUseWhereItWasMovedFrom) {
  Block block;
  append(block, "abc");
  Block other(std::move(block));
  EXPECT_EQ(other.view(), "abc");
  // NOLINTBEGIN(bugprone-use-after-move): that is what is tested
  EXPECT_EQ(block.size(), 0U);
  EXPECT_EQ(block.capacity(), 0U);
  append(block, "defg");
  other = std::move(block);
  EXPECT_EQ(other.view(), "defg");
  EXPECT_EQ(block.size(), 0U);
  append(block, "h");
  EXPECT_EQ(block.view(), "h");
  // NOLINTEND(bugprone-use-after-move)
}

}  // namespace
}  // namespace stagegate
