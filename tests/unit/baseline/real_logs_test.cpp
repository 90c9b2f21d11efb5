// Over event logs of real runs, where they lie beside the repository; skipped elsewhere.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "baseline/baseline_json.h"
#include "baseline/judge.h"
#include "identity/identify.h"
#include "ingest/read_log.h"
#include "model/pool_attempts.h"
#include "sys/file.h"

namespace stagegate {
namespace {

class RevenueBaselines : public testing::Test {
 protected:
  void SetUp() override {
    if (!is_folder(logs())) {
      GTEST_SKIP() << "no logs of real runs here";
    }
  }

  static std::string logs() { return STAGEGATE_CORPUS "/corpus/logs/revenue"; }

  static Baseline baseline_of(const std::string& run) {
    const auto application = read_log_folder(*open_folder(logs() + "/" + run), run);
    EXPECT_TRUE(application) << application.error().message;
    if (!application) {
      return {};
    }
    auto stages = pool_attempts(*application);
    identify(*application, stages);
    JobVariant job_variant;
    job_variant.job = "revenue";
    job_variant.variant = "v";
    return make_baseline(job_variant, *application, stages, {});
  }
};

TEST_F(RevenueBaselines, ARunWhoseSiblingsSwappedNumbersWritesTheSameBytes) {
  EXPECT_EQ(write_baseline(baseline_of("adaptive")), write_baseline(baseline_of("adaptive-repeat")));
  EXPECT_EQ(write_baseline(baseline_of("adaptive")), write_baseline(baseline_of("adaptive-call-sites")));
  EXPECT_EQ(write_baseline(baseline_of("off")), write_baseline(baseline_of("off-quick-jvm")));
}

TEST_F(RevenueBaselines, HoldNothingOfTheMachineOrTheDay) {
  const auto text = write_baseline(baseline_of("adaptive"));
  for (const auto* const volatile_text : {"/ci/", "local-", "1795980", "2026"}) {
    EXPECT_EQ(text.find(volatile_text), std::string::npos) << volatile_text;
  }
}

TEST_F(RevenueBaselines, AnotherVersionOfSparkIsTheOnlyDifference) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(differing_conditions(baseline_of("adaptive-spark-3.5"), baseline_of("adaptive-spark-4.3")),
            Lines{"spark: 3.5 in the baseline, 4.3 now"});
  EXPECT_EQ(differing_conditions(baseline_of("adaptive"), baseline_of("adaptive-cluster")), Lines{"cores: 4 in the baseline, 2 now"});
  EXPECT_EQ(differing_conditions(baseline_of("off"), baseline_of("off-quick-jvm")), Lines{});
}

}  // namespace
}  // namespace stagegate
