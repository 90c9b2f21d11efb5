// What the reader of task ends takes itself, it reads as the parser for all JSON does, which a line that begins with a space inside gets
// to.
#include "ingest/task_end_line.h"

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ingest/event_parser.h"
#include "ingest/line_splitter.h"
#include "unit/ingest/codec_checks.h"
#include "unit/ingest/task_end_text.h"

namespace stagegate {
namespace {

using test::expect_same_numbers;
using test::kDepths;
using test::line_with;
using test::padded;
using test::Pieces;
using test::replaced;

bool takes(const std::string& line, TaskDepth depth = TaskDepth::all) {
  const auto bytes = padded(line);
  TaskEnd task;
  return TaskEndLine(depth).parse(std::string_view(bytes).substr(0, line.size()), task);
}

// LINE is taken, and says what it says to the general parser.
void expect_same_as_general(TaskEndLine& reader, const std::string& line, TaskDepth depth) {
  const auto bytes = padded(line);
  TaskEnd task;
  ASSERT_TRUE(reader.parse(std::string_view(bytes).substr(0, line.size()), task)) << line;
  const auto general = padded("{ " + line.substr(1));
  Event event;
  EventParser parser(depth);
  ASSERT_EQ(parser.parse(std::string_view(general).substr(0, line.size() + 1), event), LineKind::event) << line;
  const auto& other = std::get<TaskEnd>(event);
  EXPECT_EQ(task.stage, other.stage) << line;
  EXPECT_EQ(task.attempt, other.attempt) << line;
  EXPECT_EQ(task.partition, other.partition) << line;
  EXPECT_EQ(task.attempt_number, other.attempt_number) << line;
  EXPECT_EQ(task.task_id, other.task_id) << line;
  EXPECT_EQ(task.launched_ms, other.launched_ms) << line;
  EXPECT_EQ(task.kind, other.kind) << line;
  EXPECT_EQ(task.speculative, other.speculative) << line;
  EXPECT_EQ(task.executor, other.executor) << line;
  EXPECT_EQ(task.host, other.host) << line;
  EXPECT_EQ(task.reason, other.reason) << line;
  EXPECT_EQ(task.error_class, other.error_class) << line;
  EXPECT_EQ(task.error, other.error) << line;
  expect_same_numbers(task.numbers, other.numbers, line);
}

void expect_taken(const std::string& line) {
  for (const auto depth : kDepths) {
    TaskEndLine reader(depth);
    expect_same_as_general(reader, line, depth);
  }
}

TEST(TaskEndLine, ReadsEveryNumber) {
  const auto bytes = padded(Pieces().line());
  TaskEnd task;
  ASSERT_TRUE(TaskEndLine(TaskDepth::all).parse(std::string_view(bytes).substr(0, Pieces().line().size()), task));
  EXPECT_EQ(task.stage, 3);
  EXPECT_EQ(task.attempt, 1);
  EXPECT_EQ(task.task_id, 17);
  EXPECT_EQ(task.attempt_number, 2);
  EXPECT_EQ(task.partition, 9);
  EXPECT_EQ(task.launched_ms, 1000);
  EXPECT_EQ(task.executor, "4");
  EXPECT_EQ(task.host, "10.0.0.4");
  EXPECT_TRUE(task.speculative);
  EXPECT_EQ(task.kind, TaskEndKind::success);
  const auto number = [&](auto which) {
    TaskNumbers only;
    only.add(which, 0);
    return (task.numbers.present & only.present) == 0 ? -1 : task.numbers.values[static_cast<std::size_t>(std::countr_zero(only.present))];
  };
  EXPECT_EQ(number(Metric::input_bytes), 33);
  EXPECT_EQ(number(Metric::input_records), 34);
  EXPECT_EQ(number(Metric::output_bytes), 35);
  EXPECT_EQ(number(Metric::output_records), 36);
  EXPECT_EQ(number(Metric::shuffle_read_bytes), 16 + 18);
  EXPECT_EQ(number(Metric::shuffle_read_records), 19);
  EXPECT_EQ(number(Metric::shuffle_write_bytes), 30);
  EXPECT_EQ(number(Metric::shuffle_write_records), 32);
  EXPECT_EQ(number(Metric::memory_spill_bytes), 11);
  EXPECT_EQ(number(Metric::disk_spill_bytes), 12);
  EXPECT_EQ(number(Metric::duration_ms), 2000);
  EXPECT_EQ(number(TaskDetail::getting_result_time_ms), 500);
  EXPECT_EQ(number(TaskDetail::shuffle_read_to_disk), 17);
  EXPECT_EQ(number(TaskDetail::merged_remote_bytes), 27);
  EXPECT_EQ(number(TaskDetail::peak_memory_off_heap), 7);
  EXPECT_EQ(task.numbers.present, (std::uint64_t{1} << TaskNumbers::kCount) - 1) << "every number is there";
}

TEST(TaskEndLine, TakesTheLinesOfEveryVersion) {
  expect_taken(Pieces().line());
  auto pieces = Pieces();
  pieces.push = "";
  pieces.shuffle_read.back() = '}';
  pieces.shuffle_read += ",";
  expect_taken(pieces.line());  // 3.0 to 3.3
  pieces.executor = "";
  expect_taken(pieces.line());  // 2.x
  pieces.info = replaced(pieces.info, R"("Partition ID":9,)", "");
  expect_taken(pieces.line());  // before 3.3
  pieces.accumulables = R"("Accumulables":[]},)";
  expect_taken(pieces.line());
  for (auto* group : {&pieces.shuffle_read, &pieces.shuffle_write, &pieces.input, &pieces.output}) {
    group->clear();
    expect_taken(pieces.line());  // 1.x writes only the groups that there are
  }
}

TEST(TaskEndLine, TakesOtherValues) {
  expect_taken(line_with(R"("Executor Run Time":3)", R"("Executor Run Time":-3)"));
  expect_taken(line_with(R"("Executor Run Time":3)", R"("Executor Run Time":-0)"));
  expect_taken(line_with(R"("Bytes Read":33)", R"("Bytes Read":999999999999999999)"));
  expect_taken(line_with(R"("Task ID":17)", R"("Task ID":-17)"));
  expect_taken(line_with(R"("Partition ID":9)", R"("Partition ID":-1)"));
  expect_taken(line_with(R"("Partition ID":9)", R"("Partition ID":2147483647)"));
  expect_taken(line_with(R"("Finish Time":3000)", R"("Finish Time":0)"));
  expect_taken(line_with(R"("Launch Time":1000)", R"("Launch Time":-999999999999999999)"));
  expect_taken(line_with(R"("Speculative":true)", R"("Speculative":false)"));
  expect_taken(line_with(R"("Host":"10.0.0.4")", R"("Host":"{[,:]}")"));
  expect_taken(line_with(R"("Host":"10.0.0.4")", R"("Host":"")"));
}

std::string with_zeros(std::string numbers) {
  std::string zeros;
  bool in_name = false;
  for (const char c : numbers) {
    in_name = in_name != (c == '"');
    const bool is_digit = c >= '0' && c <= '9' && !in_name;
    zeros += !is_digit ? std::string(1, c) : zeros.ends_with('0') ? "" : "0";
  }
  return zeros;
}

// Groups of zeros are compared at once.
TEST(TaskEndLine, TakesZerosInAnyGroup) {
  for (unsigned groups = 0; groups < 32; ++groups) {
    Pieces pieces;
    std::string* const all[] = {&pieces.shuffle_read, &pieces.push, &pieces.shuffle_write, &pieces.input, &pieces.output};
    for (std::size_t group = 0; group < std::size(all); ++group) {
      if ((groups >> group & 1U) != 0) {
        *all[group] = with_zeros(*all[group]);
      }
    }
    expect_taken(pieces.line());
  }
  // All but one of them, and without the keys that older versions do not have.
  expect_taken(replaced(Pieces().line(), Pieces().output, R"("Output Metrics":{"Bytes Written":0,"Records Written":1},)"));
  expect_taken(replaced(Pieces().line(), Pieces().output, R"("Output Metrics":{"Bytes Written":0},)"));
  EXPECT_FALSE(takes(replaced(Pieces().line(), Pieces().output, R"("Output Metrics":{"Bytes Written":0,"Records Written":01},)")));
  EXPECT_FALSE(takes(replaced(Pieces().line(), Pieces().output, R"("Output Metrics":{"Bytes Written":0,"Records Written":0]},)")));
  EXPECT_FALSE(takes(replaced(Pieces().line(), Pieces().output, R"("Output Metrics":{"Bytes Written":0,"Records Written":0,},)")));
}

TEST(TaskEndLine, LeavesTheOthersAlone) {
  for (const auto& [what, by] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
           {R"({"Reason":"Success"})", R"({"Reason":"TaskKilled","Kill Reason":"x"})"},
           {R"({"Reason":"Success"})", R"({"Reason":"Success","x":1})"},
           {R"("Host":"10.0.0.4")", R"("Host":"a\"b")"},
           {R"("Host":"10.0.0.4")", "\"Host\":\"gr\xC3\xBCn\""},
           {R"("Host":"10.0.0.4")", R"("Host":null)"},
           {R"("Host":"10.0.0.4",)", R"("Host":"h","Rack":"r",)"},
           {R"("Launch Time":1000)", R"("Launch Time":1000.0)"},
           {R"("Launch Time":1000)", R"("Launch Time":1e3)"},
           {R"("Launch Time":1000)", R"("Launch Time": 1000)"},
           {R"("Launch Time":1000)", R"("Launch Time":01000)"},
           {R"("Launch Time":1000)", R"("Launch Time":"1000")"},
           {R"("Launch Time":1000)", R"("Launch Time":1234567890123456789)"},
           {R"("Launch Time":1000)", R"("Launch Time":)"},
           {R"("Launch Time":1000)", R"("Launch Time":-)"},
           {R"("Stage ID":3)", R"("Stage ID":-3)"},
           {R"("Stage ID":3)", R"("Stage ID":2147483648)"},
           {R"("Partition ID":9)", R"("Partition ID":2147483648)"},
           {R"("Index":5,"Attempt":2,"Partition ID":9)", R"("Attempt":2)"},
           {R"("Metadata":"sql")", R"("Metadata":"s\\ql")"},
           {R"("Metadata":"sql")", R"("Metadata":"sq)"},
           {R"("Metadata":"sql")", R"("Metadata":"}")"},
           {R"("Metadata":"sql")", "\"Metadata\":\"s\tql\""},
           {R"("Metadata":"sql"}]})", R"("Metadata":"sql"}])"},
           {R"("Metadata":"sql"}]})", R"("Metadata":"sql"}],"Finish Time":9})"},
           {R"("MajorGCTime":0})", R"("MajorGCTime":0},"Stage ID":4)"},
           {R"("Result Size":8)", R"("Result Size":null)"},
           {R"("Result Size":8)", R"("Result Size":8,"Of The Future":1)"},
           {R"("Fetch Wait Time":15)", R"("Fetch Wait Time":15,"Of The Future":1)"},
           {R"("Fetch Wait Time":15)", R"("Fetch Wait Time":15,)"},
           {R"("Updated Blocks":[])", R"("Updated Blocks":[{"Block ID":"rdd_1_0","Status":{"Memory Size":1}}])"},
           {R"("Updated Blocks":[]}})", R"("Updated Blocks":[]}} )"},
           {R"("Updated Blocks":[]}})", R"("Updated Blocks":[]},"x":1})"},
           {R"("Updated Blocks":[]}})", R"("Updated Blocks":[]})"},
       }) {
    EXPECT_FALSE(takes(line_with(what, by))) << what << " as " << by;
  }
  for (const auto* line : {"", "{", "{}", R"({"Event":"SparkListenerTaskEnd","Stage ID":)", R"({"Event":"SparkListenerTaskStart"})"}) {
    EXPECT_FALSE(takes(line)) << line;
  }
}

TEST(TaskEndLine, LeavesEveryHalfOfALineAlone) {
  const auto line = Pieces().line();
  for (std::size_t size = 0; size < line.size(); ++size) {
    EXPECT_FALSE(takes(line.substr(0, size))) << size;
    EXPECT_FALSE(takes(line.substr(0, size), TaskDepth::judged)) << size;
  }
}

// Whatever came before it: where the metrics begin is remembered from line to line.
TEST(TaskEndLine, ReadsALineTheSameBehindAnyOther) {
  std::vector<std::string> lines{Pieces().line()};
  auto pieces = Pieces();
  pieces.executor = "";
  lines.push_back(pieces.line());
  pieces.own = replaced(pieces.own, R"("Executor Run Time":3)", fmt::format(R"("Executor Run Time":{})", 999'999'999'999'999'999));
  lines.push_back(pieces.line());
  pieces.shuffle_read = pieces.push = pieces.shuffle_write = pieces.input = pieces.output = "";
  lines.push_back(pieces.line());
  pieces.accumulables = R"("Accumulables":[]},)";
  lines.push_back(pieces.line());
  for (const auto& first : lines) {
    for (const auto& second : lines) {
      TaskEndLine reader(TaskDepth::all);
      expect_same_as_general(reader, first, TaskDepth::all);
      expect_same_as_general(reader, second, TaskDepth::all);
    }
  }
}

// Metrics are there twice, which no Spark writes: the line is read the same by a reader that has just seen another line, so that it does
// not matter which thread takes it.
TEST(TaskEndLine, ReadsALineWithTwoMetricsTheSameBehindAnyOther) {
  auto pieces = Pieces();
  pieces.accumulables = R"("Accumulables":[]},"Task Metrics":{"Executor Run Time":9,"":[]},)";
  pieces.executor = "";
  const auto strange = padded(pieces.line());
  const auto view = std::string_view(strange).substr(0, pieces.line().size());
  TaskEnd expected;
  const bool taken = TaskEndLine(TaskDepth::all).parse(view, expected);
  const auto tail = pieces.line().size() - pieces.line().find(R"("Task Metrics")");
  for (std::size_t size = 0; size < tail + 200; ++size) {
    // A line that is taken, whose metrics begin so far before its end.
    auto before = Pieces();
    before.shuffle_read = before.push = before.shuffle_write = before.input = before.output = before.blocks = "";
    before.own = R"("Task Metrics":{)";
    const auto end = before.own.size() + before.end.size();
    for (std::size_t filled = end; filled < size;) {
      before.own += before.own.ends_with('{') ? R"("Result Size":1)" : R"(,"Result Size":1)";
      filled = before.own.size() + before.end.size();
    }
    const auto bytes = padded(before.line());
    TaskEndLine reader(TaskDepth::all);
    TaskEnd task;
    static_cast<void>(reader.parse(std::string_view(bytes).substr(0, before.line().size()), task));
    TaskEnd again;
    ASSERT_EQ(reader.parse(view, again), taken) << size;
    if (taken) {
      expect_same_numbers(again.numbers, expected.numbers, "behind a line of " + std::to_string(size));
    }
  }
}

// Every task end of FILE: how many there are of successful tasks, and how many of these are taken.
struct Count {
  int successes = 0;
  int taken = 0;
};

Count expect_same_for_all_lines_of(const std::string& text) {
  Count count;
  for (const auto depth : kDepths) {
    TaskEndLine reader(depth);
    for (std::size_t begin = 0; begin < text.size();) {
      const auto end = std::min(text.find('\n', begin), text.size());
      const auto line = text.substr(begin, end - begin);
      begin = end + 1;
      if (line.starts_with(R"({"Event":"SparkListenerTaskEnd")")) {
        const bool taken = takes(line, depth);
        count.successes += line.find(R"({"Reason":"Success"})") != std::string::npos ? 1 : 0;
        count.taken += taken ? 1 : 0;
        if (taken) {
          expect_same_as_general(reader, line, depth);
        }
      }
    }
  }
  return count;
}

TEST(TaskEndLine, ReadsTheLinesOfARealLog) {
  const auto count = expect_same_for_all_lines_of(test_data("logs/local-1795980980229"));
  EXPECT_EQ(count.taken, count.successes);
  EXPECT_GT(count.taken, 0);
}

// Of Spark 1.2 to 4.2, where such logs are at hand.
TEST(TaskEndLine, ReadsTheLinesOfRealLogsOfManyVersions) {
  const std::filesystem::path logs = STAGEGATE_CORPUS "/logs/apache-spark";
  if (!std::filesystem::exists(logs)) {
    GTEST_SKIP() << "no logs at " << logs;
  }
  Count all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(logs)) {
    if (entry.is_regular_file()) {
      std::ifstream file(entry.path(), std::ios::binary);
      const auto count = expect_same_for_all_lines_of(std::string(std::istreambuf_iterator<char>(file), {}));
      all.successes += count.successes;
      all.taken += count.taken;
    }
  }
  EXPECT_GT(all.taken, all.successes / 2);
}

}  // namespace
}  // namespace stagegate
