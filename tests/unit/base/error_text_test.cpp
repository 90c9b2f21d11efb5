#include "base/error_text.h"

#include <gtest/gtest.h>

namespace stagegate {
namespace {

TEST(ErrorLine, IsTheFirstLine) {
  EXPECT_EQ(error_line("no room\n\tat A.b(A.java:1)"), "no room");
  EXPECT_EQ(error_line("no room\r\nmore"), "no room");
  EXPECT_EQ(error_line(""), "");
}

TEST(ErrorLine, OfATracebackIsTheException) {
  EXPECT_EQ(error_line("Traceback (most recent call last):\n  File \"worker.py\", line 1, in main\n    run()\nValueError: bad\n\n"),
            "ValueError: bad");
  EXPECT_EQ(error_line("Job aborted: Traceback (most recent call last):\n  File \"a\"\nKeyError: 'x'"), "KeyError: 'x'");
  EXPECT_EQ(error_line("Traceback (most recent call last):\n  File"), "Traceback (most recent call last):");
}

TEST(WithoutNumbers, TellsKindsApartAndNotTheirCases) {
  EXPECT_EQ(without_numbers("no room for 1024 bytes at 0x7efca0872010"), "no room for # bytes at #");
  EXPECT_EQ(without_numbers("block broadcast_3 of executor 12"), "block broadcast_# of executor #");
  EXPECT_EQ(without_numbers("parquet2csv failed"), "parquet2csv failed");
  EXPECT_EQ(without_numbers("bad face"), "bad face");
}

}  // namespace
}  // namespace stagegate
