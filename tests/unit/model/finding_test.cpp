#include "model/finding.h"

#include <gtest/gtest.h>

namespace stagegate {
namespace {

TEST(FormatValue, PrintsEachUnit) {
  EXPECT_EQ(format_value(8040, ValueUnit::ratio), "8.04x");
  EXPECT_EQ(format_value(36'756'000, ValueUnit::bytes), "35.9 KiB");
  EXPECT_EQ(format_value(200'000, ValueUnit::count), "200");
  EXPECT_EQ(format_value(1500, ValueUnit::count), "1.5");
  EXPECT_EQ(format_value(31'000, ValueUnit::percent), "31 %");
}

}  // namespace
}  // namespace stagegate
