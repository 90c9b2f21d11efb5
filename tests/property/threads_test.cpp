// How many threads read a log changes nothing: not what is read, and not what is said where it cannot be read.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "property/logs.h"
#include "support/packing.h"
#include "unit/ingest/describe.h"

namespace stagegate {
namespace {

constexpr int kMostThreads = 8;

// Calls BEFORE_READ with the number of the read before each, which may give an error, throw, or take its time.
class WatchedSource : public ByteSource {
 public:
  using BeforeRead = std::function<Status(int read)>;

  WatchedSource(std::string bytes, std::size_t step, BeforeRead before_read)
      : bytes_(std::move(bytes), step), before_read_(std::move(before_read)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    STAGEGATE_TRY(before_read_(reads_++));
    return bytes_.read(buffer);
  }

 private:
  MemorySource bytes_;
  BeforeRead before_read_;
  int reads_ = 0;
};

// A folder of which each part is opened and read as a test wants it.
class WatchedFolder : public Folder {
 public:
  using Open = std::function<Result<std::unique_ptr<ByteSource>>(std::string_view name, const std::string& bytes)>;

  WatchedFolder(MemoryFiles files, Open open) : files_(std::move(files)), open_(std::move(open)) {}

  Result<std::vector<FolderEntry>> list() const override {
    std::vector<FolderEntry> entries;
    for (const auto& [name, bytes] : files_) {
      entries.push_back({name, false});
    }
    return entries;
  }
  Result<std::unique_ptr<ByteSource>> open(std::string_view name) const override { return open_(name, files_.at(std::string(name))); }
  Result<std::unique_ptr<Folder>> folder(std::string_view) const override { return fail(ErrorKind::evidence, "there are no folders"); }

 private:
  MemoryFiles files_;
  Open open_;
};

Result<Application> read_folder(const Folder& folder, int threads) {
  return read_log_folder(folder, "eventlog_v2_local-1", all_of(threads));
}

std::string text_of(const Result<Application>& result) {
  return result ? describe(*result) : "error: " + result.error().message;
}

constexpr std::size_t kParts = 12;

class SeveralThreads : public testing::TestWithParam<std::string> {
 protected:
  MemoryFiles files_ = rolling(cut_into(busy_log(), kParts), GetParam());
};

TEST_P(SeveralThreads, ReadTheSameOfARollingLog) {
  for (const std::size_t parts : {1U, 2U, 3U, 12U, 40U}) {
    const MemoryFolder folder(rolling(cut_into(busy_log(), parts), GetParam()));
    for (int threads = 1; threads <= kMostThreads; ++threads) {
      const auto application = read_folder(folder, threads);
      ASSERT_TRUE(application);
      ASSERT_EQ(describe(*application), truth_of(busy_log())) << parts << " parts, " << threads << " threads";
    }
  }
}

TEST_P(SeveralThreads, ReadTheSameOfASingleLog) {
  for (const auto* log : {&real_log(), &busy_log()}) {
    const auto truth = truth_of(*log);
    const auto stored = pack(GetParam(), *log);
    for (int threads = 1; threads <= kMostThreads; ++threads) {
      for (int repeat = 0; repeat < 5; ++repeat) {
        ASSERT_EQ(text_of(read_bytes(stored, all_of(threads))), truth) << threads << " threads";
      }
    }
  }
}

// Large enough for many blocks and batches; that its events are there again and again does not matter here.
TEST_P(SeveralThreads, ReadTheSameOfALargeLog) {
  std::string log;
  for (const auto& part : cut_into(busy_log(), 3)) {
    for (int i = 0; i < 20; ++i) {
      log += part;
    }
  }
  const auto stored = pack(GetParam(), log);
  const auto truth = text_of(read_bytes(log));
  for (int threads = 1; threads <= kMostThreads; ++threads) {
    ASSERT_EQ(text_of(read_bytes(stored, all_of(threads))), truth) << threads << " threads";
  }
}

TEST_P(SeveralThreads, ReadTheSameOfALogThatIsCutAndBroken) {
  auto log = busy_log();
  for (const std::size_t place : {500U, 30'000U, 30'100U, 90'000U}) {
    log.replace(place, 5, "\n{]\0\n", 5);
  }
  for (const std::size_t size : {log.size(), log.size() - 10, log.size() / 2, std::size_t{0}}) {
    const auto stored = pack(GetParam(), log.substr(0, size));
    for (const auto end : {stored.size(), stored.size() * 9 / 10}) {
      const auto truth = text_of(read_bytes(stored.substr(0, end)));
      for (int threads = 2; threads <= kMostThreads; ++threads) {
        ASSERT_EQ(text_of(read_bytes(stored.substr(0, end), all_of(threads))), truth) << threads << " threads";
      }
    }
  }
}

TEST_P(SeveralThreads, ReadTheSameOfSourcesThatTakeTheirTime) {
  const auto truth = truth_of(busy_log());
  for (int threads = 1; threads <= kMostThreads; ++threads) {
    std::atomic<unsigned> opened = 0;
    const WatchedFolder folder(files_, [&](std::string_view, const std::string& bytes) -> Result<std::unique_ptr<ByteSource>> {
      // Some parts come in bursts, some late, some slowly all the time.
      const auto kind = opened++ % 4;
      return std::make_unique<WatchedSource>(bytes, bytes.size() / 5 + 1, [kind](int read) -> Status {
        const bool wait = kind == 1 ? read == 0 : kind == 2 ? read % 3 == 2 : kind == 3;
        std::this_thread::sleep_for(std::chrono::milliseconds(wait ? 3 : 0));
        return {};
      });
    });
    ASSERT_EQ(text_of(read_folder(folder, threads)), truth) << threads << " threads";
  }
}

// The error of the first part that cannot be opened, whichever was tried first.
TEST_P(SeveralThreads, SayTheSameOfPartsThatCannotBeOpened) {
  for (std::size_t first = 1; first <= kParts; ++first) {
    for (int threads = 1; threads <= kMostThreads; ++threads) {
      const WatchedFolder folder(files_, [&](std::string_view name, const std::string& bytes) -> Result<std::unique_ptr<ByteSource>> {
        for (auto part = first; part <= kParts; part += 2) {
          if (name == fmt::format("events_{}_local-1", part)) {
            return fail(ErrorKind::evidence, fmt::format("part {} is locked", part));
          }
        }
        return std::make_unique<MemorySource>(bytes);
      });
      ASSERT_EQ(text_of(read_folder(folder, threads)), fmt::format("error: part {} is locked", first)) << threads << " threads";
    }
  }
}

TEST_P(SeveralThreads, SayTheSameOfASourceThatFails) {
  for (std::size_t part = 1; part <= kParts; part += 3) {
    for (const int when : {0, 1, 4}) {
      for (int threads = 1; threads <= kMostThreads; ++threads) {
        const WatchedFolder folder(files_, [&](std::string_view name, const std::string& bytes) -> Result<std::unique_ptr<ByteSource>> {
          const bool fails = name == fmt::format("events_{}_local-1", part);
          return std::make_unique<WatchedSource>(bytes, bytes.size() / 5 + 1, [=](int read) -> Status {
            return fails && read == when ? Status(fail(ErrorKind::evidence, "the disk is on fire")) : Status();
          });
        });
        ASSERT_EQ(text_of(read_folder(folder, threads)), "error: the disk is on fire") << part << ", " << threads << " threads";
      }
    }
  }
}

TEST_P(SeveralThreads, HandOnWhatASourceThrows) {
  for (std::size_t part = 1; part <= kParts; part += 3) {
    for (const int when : {0, 3}) {
      for (int threads = 1; threads <= kMostThreads; ++threads) {
        const WatchedFolder folder(files_, [&](std::string_view name, const std::string& bytes) -> Result<std::unique_ptr<ByteSource>> {
          const bool throws = name == fmt::format("events_{}_local-1", part);
          return std::make_unique<WatchedSource>(bytes, bytes.size() / 5 + 1, [=](int read) -> Status {
            if (throws && read == when) {
              throw std::runtime_error("thrown");
            }
            return {};
          });
        });
        ASSERT_THROW(static_cast<void>(read_folder(folder, threads)), std::runtime_error) << part << ", " << threads << " threads";
      }
    }
  }
}

TEST_P(SeveralThreads, HandOnWhatTheSourceOfASingleLogThrowsOrFailsWith) {
  const auto stored = pack(GetParam(), busy_log());
  for (const int when : {0, 1, 7}) {
    for (int threads = 1; threads <= kMostThreads; ++threads) {
      const auto read = [&](const WatchedSource::BeforeRead& before_read) {
        return read_log_file(std::make_unique<WatchedSource>(stored, stored.size() / 9 + 1, before_read), "local-1", all_of(threads));
      };
      ASSERT_EQ(
          text_of(read([&](int count) { return count == when ? Status(fail(ErrorKind::evidence, "the disk is on fire")) : Status(); })),
          "error: the disk is on fire");
      ASSERT_THROW(
          static_cast<void>(read([&](int count) -> Status { return count == when ? throw std::runtime_error("thrown") : Status(); })),
          std::runtime_error);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Packed, SeveralThreads, testing::Values("plain", "zstd", "lz4", "gzip"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace stagegate
