#include "ingest/event_batch.h"

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
constexpr auto kMost = std::numeric_limits<std::int64_t>::max();

void expect_same(const TaskEnd& a, const TaskEnd& b) {
  EXPECT_EQ(a.stage, b.stage);
  EXPECT_EQ(a.attempt, b.attempt);
  EXPECT_EQ(a.partition, b.partition);
  EXPECT_EQ(a.attempt_number, b.attempt_number);
  EXPECT_EQ(a.task_id, b.task_id);
  EXPECT_EQ(a.launched_ms, b.launched_ms);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.speculative, b.speculative);
  EXPECT_EQ(a.executor, b.executor);
  EXPECT_EQ(a.host, b.host);
  EXPECT_EQ(a.reason, b.reason);
  EXPECT_EQ(a.error_class, b.error_class);
  EXPECT_EQ(a.error, b.error);
  EXPECT_EQ(a.numbers.present, b.numbers.present);
  EXPECT_EQ(a.numbers.values, b.numbers.values);
}

TaskEnd through_a_batch(const TaskEnd& task) {
  EventBatch batch;
  Event event = task;
  batch.add(event, 100);
  TaskEnd came;
  int count = 0;
  // The texts are valid during the call: those of TASK outlive it.
  batch.replay([&](Event& out) {
    came = std::get<TaskEnd>(out);
    expect_same(came, task);
    ++count;
  });
  EXPECT_EQ(count, 1);
  return came;
}

TEST(EventBatch, GivesATaskBackWithAllItsFields) {
  TaskEnd task;
  task.stage = 7;
  task.attempt = 3;
  task.partition = 123'456;
  task.attempt_number = 2;
  task.task_id = 9'999'999;
  task.launched_ms = 1'795'980'978'543;
  task.executor = "driver";
  task.host = "10.0.0.1";
  task.reason = "ExceptionFailure";
  task.error_class = "java.lang.RuntimeException";
  task.error = "it's \"broken\"";
  task.numbers.add(Metric::input_bytes, 0);
  task.numbers.add(Metric::duration_ms, 42);
  task.numbers.add(TaskDetail::shuffle_write_time_ns, kMost);
  for (const auto kind : {TaskEndKind::success, TaskEndKind::resubmitted, TaskEndKind::killed, TaskEndKind::failed}) {
    for (const bool speculative : {false, true}) {
      task.kind = kind;
      task.speculative = speculative;
      through_a_batch(task);
    }
  }
}

TEST(EventBatch, GivesAnyCountOfNumbersBack) {
  TaskEnd task;
  task.task_id = kMost;
  task.host = "worker-1";
  for (std::size_t count = 0; count < TaskNumbers::kCount; ++count) {
    through_a_batch(task);
    task.numbers.add(count, kMost - static_cast<std::int64_t>(count));
  }
  through_a_batch(task);
}

TEST(EventBatch, GivesAnyNumberBack) {
  constexpr auto kMostIn32Bits = std::int64_t{std::numeric_limits<std::uint32_t>::max()};
  for (const auto number : {std::int64_t{0}, std::int64_t{1}, std::int64_t{127}, std::int64_t{128}, kMostIn32Bits - 1, kMostIn32Bits,
                            kMostIn32Bits + 1, std::int64_t{1} << 56U, std::int64_t{-1}, std::int64_t{-128}, kLeast, kMost}) {
    TaskEnd task;
    task.task_id = number;
    task.launched_ms = number;
    for (std::size_t i = 0; i < TaskNumbers::kCount; ++i) {
      task.numbers.values[i] = number;
      task.numbers.present |= TaskNumbers::bit(i);
    }
    through_a_batch(task);
  }
  for (const auto number : {0, 1, 127, 128, std::numeric_limits<int>::max(), -1, std::numeric_limits<int>::min()}) {
    TaskEnd task;
    task.stage = task.attempt = task.partition = task.attempt_number = number;
    through_a_batch(task);
  }
}

TEST(EventBatch, GivesSmallAndLargeNumbersBackInAnyOrder) {
  for (std::size_t step = 1; step <= TaskNumbers::kCount; ++step) {
    TaskEnd small_first;
    TaskEnd large_first;
    for (std::size_t i = 0; i < TaskNumbers::kCount; ++i) {
      const auto number = static_cast<std::int64_t>(i) + 1;
      small_first.numbers.add(i, i / step % 2 == 0 ? number : kMost - number);
      large_first.numbers.add(i, i / step % 2 == 0 ? kMost - number : number);
    }
    through_a_batch(small_first);
    through_a_batch(large_first);
  }
}

TEST(EventBatch, TellsEveryNumberFromOneThatIsNotThere) {
  for (std::size_t i = 0; i < TaskNumbers::kCount; ++i) {
    for (const auto number : {std::int64_t{0}, std::int64_t{5}}) {
      TaskEnd task;
      task.numbers.add(i, number);
      const auto came = through_a_batch(task);
      EXPECT_TRUE(came.numbers.has(i));
      EXPECT_EQ(came.numbers.present, TaskNumbers::bit(i));
    }
  }
}

TEST(EventBatch, GivesAnyTextBack) {
  std::vector<std::string> texts{std::string("a\0b\xFF", 4), std::string(300'000, 'x')};
  for (const auto size : {0U, 1U, 7U, 8U, 9U, 15U, 16U, 17U, 127U, 128U, 4'095U, 4'096U, 4'097U}) {
    std::string text(size, ' ');
    for (std::size_t i = 0; i < size; ++i) {
      text[i] = static_cast<char>('a' + i % 26);
    }
    texts.push_back(text);
  }
  for (const auto& text : texts) {
    for (const auto& other : texts) {
      TaskEnd task;
      task.executor = task.reason = task.error = text;
      task.host = task.error_class = other;
      through_a_batch(task);
    }
  }
}

// One object is set to each task in turn.
TEST(EventBatch, LeavesNothingOfATaskInTheNext) {
  TaskEnd full;
  full.stage = full.attempt = full.partition = full.attempt_number = 1;
  full.task_id = full.launched_ms = 1;
  full.kind = TaskEndKind::killed;
  full.speculative = true;
  full.executor = full.host = full.reason = full.error_class = full.error = "text";
  for (std::size_t i = 0; i < TaskNumbers::kCount; ++i) {
    full.numbers.add(i, i % 2 == 0 ? 1 : kMost);
  }
  TaskEnd metric;
  metric.numbers.add(Metric::input_bytes, 3);
  TaskEnd detail;
  detail.numbers.add(TaskDetail::run_time_ms, 4);
  TaskEnd zeros;
  zeros.numbers.add(Metric::input_bytes, 0);
  zeros.numbers.add(TaskDetail::run_time_ms, 0);
  const std::vector<TaskEnd> kinds{full, metric, detail, zeros, TaskEnd()};

  std::vector<TaskEnd> tasks;
  for (const auto& first : kinds) {
    for (const auto& second : kinds) {
      tasks.push_back(first);
      tasks.push_back(second);
    }
  }
  EventBatch batch;
  for (const auto& task : tasks) {
    Event event = task;
    batch.add(event, 10);
  }
  std::size_t next = 0;
  batch.replay([&](Event& event) { expect_same(std::get<TaskEnd>(event), tasks[next++]); });
  EXPECT_EQ(next, tasks.size());
}

// Its kind and, of a task, its number.
std::string name_of(const Event& event) {
  const auto* task = std::get_if<TaskEnd>(&event);
  return task != nullptr ? "task " + std::to_string(task->task_id) : "other " + std::to_string(event.index());
}

// One event of each type, in the order of the variant.
template <std::size_t... index>
std::vector<Event> one_of_each(std::index_sequence<index...>) {
  return {Event(std::in_place_index<index>)...};
}

TEST(EventBatch, KeepsTheOrderOfTasksAmongOthers) {
  std::vector<Event> events;
  std::int64_t id = 0;
  for (int round = 0; round < 4; ++round) {
    for (auto& event : one_of_each(std::make_index_sequence<std::variant_size_v<Event>>())) {
      // None, one or several tasks between two others.
      for (std::size_t tasks = 0; tasks < (event.index() + static_cast<std::size_t>(round)) % 4; ++tasks) {
        TaskEnd task;
        task.task_id = id++;
        events.emplace_back(task);
      }
      events.push_back(event);
    }
  }
  std::vector<std::string> expected;
  EventBatch batch;
  for (auto& event : events) {
    expected.push_back(name_of(event));
    batch.add(event, 10);
  }
  std::vector<std::string> came;
  batch.replay([&](Event& event) { came.push_back(name_of(event)); });
  EXPECT_EQ(came, expected);
}

TEST(EventBatch, HandsOthersOnAsTheyWere) {
  EventBatch batch;
  Event start = ApplicationStart{.name = "n", .id = "app-1", .attempt = std::nullopt, .time_ms = kLeast};
  Event conf = EnvironmentUpdate{.spark_properties = {{"a", "b"}}, .jvm = {{"c", "d"}}};
  batch.add(start, 10);
  batch.add(conf, 10);
  std::vector<Event> came;
  batch.replay([&](Event& event) { came.push_back(std::move(event)); });
  ASSERT_EQ(came.size(), 2U);
  EXPECT_EQ(std::get<ApplicationStart>(came[0]).id, "app-1");
  EXPECT_EQ(std::get<ApplicationStart>(came[0]).time_ms, kLeast);
  EXPECT_EQ(std::get<EnvironmentUpdate>(came[1]).spark_properties, (std::map<std::string, std::string>{{"a", "b"}}));
  EXPECT_EQ(std::get<EnvironmentUpdate>(came[1]).jvm, (std::map<std::string, std::string>{{"c", "d"}}));
}

TEST(EventBatch, IsEmptyAgainWhenItWasReplayed) {
  EventBatch batch;
  EXPECT_TRUE(batch.empty());
  Event task = TaskEnd{};
  Event start = LogStart{};
  batch.add(task, 10);
  EXPECT_FALSE(batch.empty());
  batch.replay([](Event&) {});
  EXPECT_TRUE(batch.empty());
  batch.add(start, 10);
  EXPECT_FALSE(batch.empty());
  int count = 0;
  batch.replay([&](Event& event) { count += std::holds_alternative<LogStart>(event) ? 1 : 100; });
  EXPECT_EQ(count, 1);
  batch.replay([&](Event&) { ++count; });
  EXPECT_EQ(count, 1);
}

// As it says of itself: about a hundred bytes a task; its memory doubles as it grows.
TEST(EventBatch, IsSmall) {
  EventBatch batch;
  for (int i = 0; i < 1000; ++i) {
    TaskEnd task;
    task.stage = 100;
    task.partition = i;
    task.task_id = 1'000'000 + i;
    task.launched_ms = 1'795'980'978'543 + i;
    task.kind = TaskEndKind::success;
    task.executor = "17";
    task.host = "10.0.0.17";
    task.reason = "Success";
    for (std::size_t number = 0; number < kMetricCount; ++number) {
      task.numbers.add(number, number % 2 == 0 ? 1'000'000 + i : 0);
    }
    Event event = task;
    batch.add(event, 5000);
  }
  EXPECT_LT(batch.bytes(), 2U * 1000 * 100);
}

}  // namespace
}  // namespace stagegate
