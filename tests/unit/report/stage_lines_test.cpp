#include "report/stage_lines.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

TEST(ReasonLine, IsTheFirstLineOrPythonsException) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", ""},
      {"\n  fetch failed\n\tat Shuffle.scala:7", "fetch failed"},
      {"PythonException: Traceback (most recent call last):\n  File \"a.py\", line 2, in f\n    g()\nValueError: bad row\n\n\tat org.X",
       "PythonException: ValueError: bad row"},
      {"Traceback (most recent call last):\n  File \"a.py\", line 2", "Traceback (most recent call last):"},
      {"Traceback (most recent call last):", "Traceback (most recent call last):"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(reason_line(text), expected) << text;
  }
  EXPECT_EQ(reason_line("x Traceback (most recent call last):\nlong exception", 10), "x long...");
}

}  // namespace
}  // namespace stagegate
