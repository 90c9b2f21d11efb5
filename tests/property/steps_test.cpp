// How many bytes a source gives at a time changes nothing.
#include <cstddef>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "property/logs.h"
#include "support/packing.h"
#include "unit/ingest/describe.h"

namespace stagegate {
namespace {

class ASource : public testing::TestWithParam<Packing> {};

void expect_same_for_every_step(const std::string& log, std::string_view packing, int threads) {
  const auto truth = truth_of(log);
  const auto stored = pack(packing, log);
  const auto expect_same = [&](std::size_t step) {
    const auto application = read_bytes(stored, all_of(threads), step);
    ASSERT_TRUE(application);
    ASSERT_EQ(describe(*application), truth) << "in steps of " << step;
  };
  for (std::size_t step = 1; step <= 300; ++step) {
    expect_same(step);
  }
  for (const std::size_t power : {512U, 1024U, 4096U, 32'768U, 65'536U, 131'072U, 262'144U}) {
    for (const auto step : {power - 1, power, power + 1}) {
      expect_same(step);
    }
  }
}

TEST_P(ASource, GivesTheSameForEveryStep) {
  expect_same_for_every_step(real_log(), GetParam().name, 1);
}

TEST_P(ASource, GivesTheSameForEveryStepToTwoThreads) {
  expect_same_for_every_step(real_log(), GetParam().name, 2);
}

INSTANTIATE_TEST_SUITE_P(Packed, ASource, testing::ValuesIn(packings().begin(), packings().end()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ASourceOfShortLines, GivesTheSameForEveryStep) {
  expect_same_for_every_step(busy_log(), "plain", 1);
}

TEST(ASourceOfShortLines, GivesTheSameForEveryStepToThreeThreads) {
  expect_same_for_every_step(busy_log(), "zstd", 3);
}

}  // namespace
}  // namespace stagegate
