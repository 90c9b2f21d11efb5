// Parts of a log, handed over in their order by any number of threads.
#include "ingest/read_parts.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ingest/decoder.h"
#include "unit/ingest/memory_source.h"
#include "unit/ingest/spark_lines.h"

namespace stagegate {
namespace {

constexpr int kThreads[] = {1, 2, 3, 4, 8};

// A decoder of which a test says what each read gives.
class ScriptedDecoder : public Decoder {
 public:
  using Read = std::function<Result<std::string>(int read)>;

  explicit ScriptedDecoder(Read read, std::string damage = {}) : read_(std::move(read)), damage_(std::move(damage)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    STAGEGATE_TRY_ASSIGN(bytes, read_(reads_++));
    EXPECT_LE(bytes.size(), buffer.size());
    return bytes.copy(buffer.data(), buffer.size());
  }
  std::string damage() const override { return damage_; }

 private:
  Read read_;
  std::string damage_;
  int reads_ = 0;
};

LogPart part(std::string name, ScriptedDecoder::Read read, const std::string& damage = {}) {
  return {std::move(name), [read = std::move(read), damage](StoredProgress&) -> Result<std::unique_ptr<Decoder>> {
            return std::make_unique<ScriptedDecoder>(read, damage);
          }};
}

LogPart part_of(std::string name, const std::string& text, const std::string& damage = {}) {
  return part(
      std::move(name), [text](int read) -> Result<std::string> { return read == 0 ? text : std::string(); }, damage);
}

// All that was handed over, in its order.
struct Heard {
  std::vector<std::string> calls;
  Status status;
};

Heard hear(const std::vector<LogPart>& parts, int threads) {
  Heard heard;
  const PartsConsumer consumer{.on_event =
                                   [&](Event& event) {
                                     const auto* task = std::get_if<TaskEnd>(&event);
                                     heard.calls.push_back(task != nullptr ? fmt::format("task {} on {}", task->partition, task->executor)
                                                                           : fmt::format("event {}", event.index()));
                                   },
                               .on_part_end =
                                   [&](const LogPart& ended, const PartSummary& summary) {
                                     heard.calls.push_back(fmt::format("end of {}: {} lines, {} events, {} broken at {}{}", ended.name,
                                                                       summary.lines, summary.events, summary.broken_lines,
                                                                       summary.broken_lines == 0 ? 0 : summary.first_broken_line,
                                                                       summary.cut ? ", cut: " + summary.cut->damage : ""));
                                   }};
  heard.status = read_parts(parts, TaskDepth::judged, threads, consumer);
  return heard;
}

std::string tasks(int first, int count) {
  std::string text;
  for (int i = first; i < first + count; ++i) {
    text += task_end({.index = i}) + "\n";
  }
  return text;
}

TEST(ReadParts, HandsOverEveryEventAndThenTheEndOfItsPart) {
  const std::vector<LogPart> parts{part_of("a", lines({log_start(), task_end({.index = 1})})), part_of("b", ""),
                                   part_of("c", tasks(2, 2) + "broken\n" + application_end())};
  for (const int threads : kThreads) {
    const auto heard = hear(parts, threads);
    EXPECT_TRUE(heard.status);
    EXPECT_EQ(heard.calls, (std::vector<std::string>{"event 0", "task 1 on 1", "end of a: 2 lines, 2 events, 0 broken at 0",
                                                     "end of b: 0 lines, 0 events, 0 broken at 0", "task 2 on 1", "task 3 on 1", "event 2",
                                                     "end of c: 4 lines, 3 events, 1 broken at 3"}))
        << threads << " threads";
  }
}

TEST(ReadParts, WithoutPartsHandsNothingOver) {
  for (const int threads : kThreads) {
    const auto heard = hear({}, threads);
    EXPECT_TRUE(heard.status);
    EXPECT_TRUE(heard.calls.empty());
  }
}

TEST(ReadParts, SaysOfEachPartWhatIsDamaged) {
  const std::vector<LogPart> parts{part_of("a", tasks(1, 1), "its last block is cut off"), part_of("b", tasks(2, 1) + "{\"Ev")};
  for (const int threads : kThreads) {
    EXPECT_EQ(hear(parts, threads).calls,
              (std::vector<std::string>{"task 1 on 1", "end of a: 1 lines, 1 events, 0 broken at 0, cut: its last block is cut off",
                                        "task 2 on 1", "end of b: 2 lines, 1 events, 0 broken at 0, cut: "}));
  }
  for (const int threads : kThreads) {
    EXPECT_EQ(hear({parts[0]}, threads).calls.back(), "end of a: 1 lines, 1 events, 0 broken at 0, cut: its last block is cut off");
    EXPECT_EQ(hear({parts[1]}, threads).calls.back(), "end of b: 2 lines, 1 events, 0 broken at 0, cut: ");
  }
}

TEST(ReadParts, OfALargePartAreTheSameForEveryNumberOfThreads) {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    text += tasks(i * 20, 20) + (i % 7 == 0 ? "broken\n" : "") + application_end() + "\n";
  }
  ASSERT_GT(text.size(), 2'000'000U);  // several blocks
  const auto large = [&](int read) -> Result<std::string> {
    constexpr std::size_t kStep = 100'000;
    const auto at = static_cast<std::size_t>(read) * kStep;
    return at < text.size() ? text.substr(at, kStep) : std::string();
  };
  const auto expected = hear({part("a", large)}, 1);
  EXPECT_EQ(expected.calls.size(), 300U * 21 + 1);
  EXPECT_EQ(expected.calls.back(), "end of a: 6343 lines, 6300 events, 43 broken at 21");
  for (const int threads : kThreads) {
    EXPECT_EQ(hear({part("a", large)}, threads).calls, expected.calls) << threads << " threads";
    const auto twice = hear({part("a", large), part("a", large)}, threads).calls;
    EXPECT_EQ(twice.size(), 2 * expected.calls.size());
    EXPECT_TRUE(
        std::equal(expected.calls.begin(), expected.calls.end(), twice.begin() + static_cast<std::ptrdiff_t>(expected.calls.size())));
  }
}

TEST(ReadParts, EndAtTheFirstErrorInTheirOrder) {
  const auto fails = [](const std::string& why, int when) {
    return part("broken", [=](int read) -> Result<std::string> {
      return read == when ? Result<std::string>(fail(ErrorKind::evidence, why)) : tasks(read, 1);
    });
  };
  const LogPart locked{"locked", [](StoredProgress&) -> Result<std::unique_ptr<Decoder>> { return fail(ErrorKind::evidence, "locked"); }};
  // The first one in their order takes longest to fail.
  const auto late = part("late", [](int read) -> Result<std::string> {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return read == 1 ? Result<std::string>(fail(ErrorKind::evidence, "late")) : tasks(1, 1);
  });
  for (const int threads : kThreads) {
    EXPECT_EQ(hear({part_of("a", tasks(1, 1)), late, locked, fails("other", 0)}, threads).status.error().message, "late");
    EXPECT_EQ(hear({part_of("a", tasks(1, 1)), locked, late}, threads).status.error().message, "locked");
    EXPECT_EQ(hear({fails("first", 3), locked}, threads).status.error().message, "first");
    EXPECT_EQ(hear({fails("alone", 3)}, threads).status.error().message, "alone");
    EXPECT_EQ(hear({locked}, threads).status.error().message, "locked");
  }
}

// Who is ahead with its last part parses for the others. What a source says of its size may be wrong: a file grows, or is cut off.
TEST(ReadParts, AreTheSameWhateverIsKnownOfTheirSizes) {
  constexpr int kLongReads = 60;
  constexpr int kShortReads = 20;
  const auto text = tasks(1, 40);
  const auto sized = [&](int reads, std::uint64_t stored_size) {
    return LogPart{fmt::format("{}", reads), [&text, reads, stored_size](StoredProgress& progress) -> Result<std::unique_ptr<Decoder>> {
                     progress.size = stored_size;
                     return std::make_unique<ScriptedDecoder>([&text, &progress, reads](int read) -> Result<std::string> {
                       progress.read += text.size();
                       return read < reads ? text : std::string();
                     });
                   }};
  };
  const std::uint64_t long_size = kLongReads * text.size();
  const std::uint64_t short_size = kShortReads * text.size();
  const auto expected = hear({sized(kLongReads, 0), sized(kShortReads, 0), sized(kLongReads, 0)}, 1).calls;
  EXPECT_EQ(expected.size(), std::size_t{2 * kLongReads + kShortReads} * 40 + 3);
  for (const int threads : kThreads) {
    for (const auto factor : {0.0, 0.1, 1.0, 10.0}) {
      const auto part_of = [&](int reads, std::uint64_t size) {
        return sized(reads, static_cast<std::uint64_t>(static_cast<double>(size) * factor));
      };
      EXPECT_EQ(hear({part_of(kLongReads, long_size), part_of(kShortReads, short_size), part_of(kLongReads, long_size)}, threads).calls,
                expected);
      EXPECT_EQ(hear({sized(kLongReads, long_size), part_of(kShortReads, short_size), sized(kLongReads, 0)}, threads).calls, expected);
    }
  }
}

TEST(ReadParts, HandOnWhatASourceThrows) {
  const auto throws =
      part("thrown", [](int read) -> Result<std::string> { return read == 2 ? throw std::runtime_error("thrown") : tasks(read, 1); });
  for (const int threads : kThreads) {
    EXPECT_THROW(hear({throws}, threads), std::runtime_error);
    EXPECT_THROW(hear({part_of("a", tasks(1, 5)), throws, part_of("b", tasks(1, 5))}, threads), std::runtime_error);
  }
}

// Threads that are ahead have to end then.
TEST(ReadParts, HandOnWhatTheConsumerThrows) {
  std::string text;
  for (int i = 0; i < 2000; ++i) {
    text += task_end({.index = i}) + "\n";
  }
  const auto endless =
      part("a", [&](int read) -> Result<std::string> { return read < 100 ? text.substr(0, 100'000) + "\n" : std::string(); });
  for (const int threads : kThreads) {
    for (const std::size_t count : {1U, 4U}) {
      int events = 0;
      const PartsConsumer consumer{.on_event =
                                       [&](Event&) {
                                         if (++events == 1000) {
                                           throw std::runtime_error("enough");
                                         }
                                       },
                                   .on_part_end = [](const LogPart&, const PartSummary&) {}};
      const std::vector<LogPart> parts(count, endless);
      EXPECT_THROW(static_cast<void>(read_parts(parts, TaskDepth::judged, threads, consumer)), std::runtime_error);
      EXPECT_EQ(events, 1000);
    }
  }
}

// Threads that are ahead wait for the one that takes the events, and take no memory for what it does not want yet.
TEST(ReadParts, AreNotReadFarAheadOfTheConsumer) {
  constexpr std::size_t kMegabyte = 1'000'000;
  const auto line = environment(R"("spark.app.name":")" + std::string(10'000, 'x') + '"') + "\n";
  std::string text;
  while (text.size() + line.size() < 100'000) {
    text += line;
  }
  std::atomic<std::size_t> given = 0;
  const auto large = part("large", [&](int read) -> Result<std::string> {
    given += text.size();
    return read < 200 ? text : std::string();
  });
  for (const int threads : kThreads) {
    given = 0;
    std::size_t most_given = 0;
    int events = 0;
    const PartsConsumer consumer{.on_event =
                                     [&](Event&) {
                                       if (++events > 1) {
                                         return;
                                       }
                                       for (std::size_t before = 0; before != given;) {
                                         before = given;
                                         std::this_thread::sleep_for(std::chrono::milliseconds(200));
                                       }
                                       most_given = given;
                                     },
                                 .on_part_end = [](const LogPart&, const PartSummary&) {}};
    const std::vector<LogPart> parts(8, large);
    EXPECT_TRUE(read_parts(parts, TaskDepth::judged, threads, consumer));
    EXPECT_EQ(events, 8 * 200 * static_cast<int>(text.size() / line.size()));
    EXPECT_LT(most_given, 20 * kMegabyte) << threads << " threads, of " << given;
  }
}

TEST(ReadParts, AreOpenedOnceEach) {
  std::atomic<int> opened = 0;
  std::vector<LogPart> parts;
  for (int i = 0; i < 30; ++i) {
    parts.push_back({fmt::format("{}", i), [&opened, i](StoredProgress&) -> Result<std::unique_ptr<Decoder>> {
                       ++opened;
                       return std::make_unique<ScriptedDecoder>(
                           [i](int read) -> Result<std::string> { return read == 0 ? tasks(i, 1) : std::string(); });
                     }});
  }
  for (const int threads : kThreads) {
    opened = 0;
    const auto heard = hear(parts, threads);
    EXPECT_EQ(opened, 30);
    ASSERT_EQ(heard.calls.size(), 60U);
    for (std::size_t i = 0; i < 30; ++i) {
      EXPECT_EQ(heard.calls[2 * i], fmt::format("task {} on 1", i));
    }
  }
}

}  // namespace
}  // namespace stagegate
