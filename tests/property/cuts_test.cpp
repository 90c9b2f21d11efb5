// A log that is cut anywhere is the truth or says that it is not whole; it is never a smaller truth.
#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/application.h"
#include "model/distribution.h"
#include "model/metric.h"
#include "property/logs.h"
#include "support/packing.h"
#include "unit/ingest/describe.h"

namespace stagegate {
namespace {

constexpr std::size_t kEnd = std::size_t{64} * 1024;
constexpr std::size_t kFurther = 2000;
constexpr std::size_t kShards = 4;

// Every byte of the last 64 KiB, and 2000 places before them; a fourth of both.
std::vector<std::size_t> cuts_of(std::size_t size, std::size_t shard) {
  std::vector<std::size_t> cuts;
  const auto end = size - std::min(size, kEnd);
  for (auto cut = end + shard; cut < size; cut += kShards) {
    cuts.push_back(cut);
  }
  std::mt19937_64 random(shard);
  for (std::size_t i = 0; end > 0 && i < kFurther / kShards; ++i) {
    cuts.push_back(random() % end);
  }
  return cuts;
}

struct Case {
  std::string_view log;
  std::string_view packing;
  std::size_t shard = 0;
};

class ALogCut : public testing::TestWithParam<Case> {};

TEST_P(ALogCut, IsTheTruthOrNotWhole) {
  const auto& log = GetParam().log == "real" ? real_log() : busy_log();
  const auto truth = truth_of(log);
  const auto stored = pack(GetParam().packing, log);
  const auto whole = read_bytes(stored);
  ASSERT_TRUE(whole && whole->evidence.complete());
  ASSERT_EQ(describe(*whole), truth);
  std::size_t incomplete = 0;
  // The log of many lines takes long: of it one cut in four of the first fourth.
  const std::size_t stride = GetParam().log == "real" ? 1 : 4;
  const auto cuts = cuts_of(stored.size(), GetParam().shard);
  for (std::size_t i = 0; i < cuts.size(); i += stride) {
    const auto cut = cuts[i];
    const auto result = read_bytes(stored.substr(0, cut));
    expect_truth_or_incomplete(result, truth, "cut at", cut);
    incomplete += result && result->evidence.complete() ? 0U : 1U;
  }
  EXPECT_GT(incomplete, 0U);
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto& packing : packings()) {
    for (std::size_t shard = 0; shard < kShards; ++shard) {
      cases.push_back({"real", packing.name, shard});
    }
  }
  for (const auto* packing : {"plain", "zstd", "lz4"}) {
    cases.push_back({"busy", packing});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Packed, ALogCut, testing::ValuesIn(all_cases()), [](const auto& test) {
  return fmt::format("{}_{}_{}", test.param.log, test.param.packing, test.param.shard + 1);
});

// The files of a rolling log with something done to them.
class ARollingLog : public testing::TestWithParam<std::string> {
 protected:
  static constexpr std::size_t kParts = 6;

  std::vector<std::string> parts_ = cut_into(busy_log(), kParts);
  MemoryFiles files_ = rolling(parts_, GetParam());
  std::string truth_ = truth_of(busy_log());

  static std::string name(std::size_t part) { return fmt::format("events_{}_local-1", part); }
  static Result<Application> read(const MemoryFiles& files) {
    return read_log_folder(MemoryFolder(files), "eventlog_v2_local-1", all_of());
  }
};

TEST_P(ARollingLog, WholeIsTheTruth) {
  const auto whole = read(files_);
  ASSERT_TRUE(whole);
  EXPECT_EQ(describe(*whole), truth_);
}

TEST_P(ARollingLog, WithAPartCutIsTheTruthOrNotWhole) {
  for (std::size_t part = 1; part <= kParts; ++part) {
    auto files = files_;
    auto& bytes = files[name(part)];
    const auto whole = bytes;
    const auto step = std::max<std::size_t>(whole.size() / 150, 1);
    for (std::size_t size = 0; size < whole.size(); size += whole.size() - size < 200 ? 1 : step) {
      bytes = whole.substr(0, size);
      expect_truth_or_incomplete(read(files), truth_, name(part), size);
    }
  }
}

TEST_P(ARollingLog, WithoutAPartIsNotWhole) {
  for (std::size_t part = 1; part <= kParts; ++part) {
    auto files = files_;
    files.erase(name(part));
    const auto result = read(files);
    ASSERT_TRUE(result);
    EXPECT_FALSE(result->evidence.complete()) << part;
  }
}

TEST_P(ARollingLog, WithAPartUnderASecondNameIsNotWhole) {
  for (std::size_t part = 1; part <= kParts; ++part) {
    auto files = files_;
    files[name(part) + ".zstd"] = files[name(part)];
    const auto result = read(files);
    ASSERT_TRUE(result);
    EXPECT_FALSE(result->evidence.complete()) << part;
  }
}

// Behind the last one, and in the place of another one.
TEST_P(ARollingLog, WithAPartUnderASecondNumberIsTheTruthOrNotWhole) {
  for (std::size_t part = 1; part <= kParts; ++part) {
    for (std::size_t place = 1; place <= kParts + 1; ++place) {
      auto files = files_;
      files[name(place)] = files_[name(part)];
      if (place != part) {
        expect_truth_or_incomplete(read(files), truth_, name(part), place);
      }
    }
  }
}

TEST_P(ARollingLog, WithAPartReadTwiceIsTheTruthOrNotWhole) {
  for (std::size_t twice = 1; twice <= kParts; ++twice) {
    auto parts = parts_;
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(twice), parts[twice - 1]);
    expect_truth_or_incomplete(read(rolling(parts, GetParam())), truth_, "twice", twice);
  }
}

// What is judged of a stage: not the order of its tasks.
std::string numbers_of(const Application& application) {
  std::string all;
  for (const auto& stage : application.stages) {
    all += fmt::format("stage {}.{} {} tasks {} {} {} {} cores {}\n", stage.id, stage.attempt, to_string(stage.status),
                       stage.tasks.declared, stage.tasks.succeeded, stage.tasks.failed, stage.tasks.killed, stage.cores.value_or(-1));
    for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
      const auto values = stage.distributions[metric].value_or(Distribution());
      all += fmt::format("{} {} {} {} {} {} {} {} {}\n", kMetrics[metric].name, values.count, values.min, values.p25.quarters,
                         values.median.quarters, values.p75.quarters, values.max, values.sum, stage.wasted[metric].value_or(-1));
    }
  }
  return all;
}

// Tasks of one stage that come in another order are the same tasks.
TEST_P(ARollingLog, WithSwappedNamesHasTheSameNumbersOrIsNotWhole) {
  std::size_t incomplete = 0;
  for (std::size_t one = 1; one <= kParts; ++one) {
    for (std::size_t other = one + 1; other <= kParts; ++other) {
      auto files = files_;
      std::swap(files[name(one)], files[name(other)]);
      const auto result = read(files);
      ASSERT_TRUE(result);
      if (result->evidence.complete()) {
        EXPECT_EQ(numbers_of(*result), numbers_of(*read(files_))) << one << " and " << other;
      }
      incomplete += result->evidence.complete() ? 0U : 1U;
    }
  }
  EXPECT_GE(incomplete, kParts * (kParts - 1) / 2 - 1);
}

INSTANTIATE_TEST_SUITE_P(Packed, ARollingLog, testing::Values("plain", "zstd", "lz4"), [](const auto& test) { return test.param; });

}  // namespace
}  // namespace stagegate
