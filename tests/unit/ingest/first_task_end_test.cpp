// Task ends whose line feed nobody has looked for.
#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ingest/task_end_line.h"
#include "unit/ingest/task_end_text.h"

namespace stagegate {
namespace {

using test::expect_same_numbers;
using test::kDepths;
using test::line_with;
using test::padded;
using test::Pieces;

// LINE is what was seen before.
std::size_t size_of_first(const std::string& line, std::string_view lines, TaskEnd& task, TaskDepth depth = TaskDepth::all) {
  TaskEndLine reader(depth);
  TaskEnd before;
  const auto bytes = padded(line);
  EXPECT_TRUE(reader.parse(std::string_view(bytes).substr(0, line.size()), before));
  return reader.parse_first(lines, task);
}

TEST(FirstTaskEnd, FindsTheEndOfALineThatIsLikeTheOneBefore) {
  const auto line = Pieces().line();
  for (const auto depth : kDepths) {
    for (const auto& next : {line, line_with(R"("Update":7,"Value":9)", R"("Update":1234567,"Value":76543210)"),
                             line_with(R"("Update":"5","Value":"5")", R"("Update":"","Value":"")")}) {
      const auto lines = padded(next + "\n" + line + "\n");
      TaskEnd task;
      ASSERT_EQ(size_of_first(line, std::string_view(lines).substr(0, lines.size() - kLinePadding), task, depth), next.size()) << next;
      TaskEnd expected;
      const auto alone = padded(next);
      ASSERT_TRUE(TaskEndLine(depth).parse(std::string_view(alone).substr(0, next.size()), expected));
      EXPECT_EQ(task.task_id, expected.task_id);
      EXPECT_EQ(task.partition, expected.partition);
      EXPECT_EQ(task.host, expected.host);
      expect_same_numbers(task.numbers, expected.numbers, next);
    }
  }
}

TEST(FirstTaskEnd, LooksForNoEndOfALineThatIsNotLikeTheOneBefore) {
  const auto line = Pieces().line();
  const auto lines = padded(line + "\n");
  const auto view = std::string_view(lines).substr(0, line.size() + 1);
  TaskEnd task;
  EXPECT_EQ(TaskEndLine(TaskDepth::all).parse_first(view, task), 0U) << "nothing came before it";
  const auto longer = line_with(R"("Name":"number of output rows")", fmt::format(R"("Name":"{}")", std::string(200, 'n')));
  EXPECT_EQ(size_of_first(longer, view, task), 0U);
  EXPECT_EQ(size_of_first(line, padded(longer + "\n" + line + "\n"), task), 0U);
  EXPECT_EQ(size_of_first(line, padded(R"({"Event":"SparkListenerTaskStart"})"), task), 0U);
}

// Behind a line that is not there to its end lies a line feed, and behind that what was there before.
TEST(FirstTaskEnd, TakesNoLineWhoseEndIsNotThereYet) {
  const auto line = Pieces().line();
  for (std::size_t size = 0; size <= line.size(); ++size) {
    const auto bytes = line.substr(0, size) + "\n" + line.substr(std::min(size + 1, line.size())) + "\n" + std::string(kLinePadding, '}');
    TaskEnd task;
    EXPECT_EQ(size_of_first(line, std::string_view(bytes).substr(0, size), task), 0U) << size;
  }
  const auto complete = padded(line + "\n");
  TaskEnd task;
  EXPECT_EQ(size_of_first(line, std::string_view(complete).substr(0, line.size() + 1), task), line.size());
}

TEST(FirstTaskEnd, TakesNoLineThatGoesOnBehindTheTask) {
  const auto line = Pieces().line();
  TaskEnd task;
  for (const std::string behind : {"}", " ", ",", "x"}) {
    EXPECT_EQ(size_of_first(line, padded(line + behind + "\n"), task), 0U) << behind;
  }
  // Two lines between which the line feed was lost.
  EXPECT_EQ(size_of_first(line, padded(line + line + "\n"), task), 0U);
}

}  // namespace
}  // namespace stagegate
