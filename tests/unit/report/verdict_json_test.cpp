#include <csignal>
#include <string>

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "report/report.h"
#include "unit/report/golden.h"
#include "unit/report/samples.h"

namespace stagegate {
namespace {

namespace json = boost::json;

TEST(VerdictJson, HoldsTheExitCodeAndEveryFinding) {
  expect_golden("verdict_mixed.json", render_verdict_json(mixed_run()));
}

TEST(VerdictJson, OfAnEmptyRunIsWholeToo) {
  EXPECT_EQ(render_verdict_json(RunResult()),
            "{\n"
            "  \"schema\": \"stagegate.verdict/1\",\n"
            "  \"exit_code\": 4,\n"
            "  \"verdict\": \"nothing-to-check\",\n"
            "  \"interrupted\": false,\n"
            "  \"variants\": [],\n"
            "  \"notices\": [],\n"
            "  \"errors\": []\n"
            "}\n");
}

TEST(VerdictJson, OfHostileTextIsReadBackAsTheSameCleanText) {
  const auto verdict = json::parse(render_verdict_json(hostile_run()));
  const auto message = json::value_to<std::string>(verdict.at("errors").at(0));
  EXPECT_TRUE(message.starts_with("esc red lone #x1B nul #x0 bell #x7")) << message;
}

TEST(VerdictJson, SaysThatItWasInterrupted) {
  RunResult result;
  result.interrupt_signal = SIGINT;
  const auto verdict = json::parse(render_verdict_json(result));
  EXPECT_TRUE(verdict.at("interrupted").as_bool());
  EXPECT_EQ(verdict.at("exit_code").as_int64(), 130);
}

}  // namespace
}  // namespace stagegate
